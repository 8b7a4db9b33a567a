⍝ The integral of 2÷x+2 from 0 to 10 by the midpoint rule; its value is 2×⍟6, 3.583518938.
⍝ == case 100 points
⍝ == input n int: 100
⍝ == output 3.583316483
⍝ == output 1
⍝ == case 1000 points
⍝ == input n int: 1000
⍝ == output 3.583516913
⍝ == output 1
⍝ == structure {allocs 0, modulo 0, branches 0}
integral ← {d←10÷⍵ ⋄ +/d×2÷2+d×(⍳⍵)-0.5}
⎕←integral n
⎕←(|(integral n)-2×⍟6)<0.001
