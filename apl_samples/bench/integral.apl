⍝ The integral of 2÷x+2 from 0 to 10 by the midpoint rule with ⍵ points; its value is 2×⍟6, 3.583518938.
⍝ == output 3.583316483
⍝ == output 1
⍝ == structure {loops 2, simd 2, allocs 0, modulo 0, branches 0}
integral ← {d←10÷⍵ ⋄ +/d×2÷2+d×(⍳⍵)-0.5}
⎕←integral 100
⎕←(|(integral 1000)-2×⍟6)<0.00001
