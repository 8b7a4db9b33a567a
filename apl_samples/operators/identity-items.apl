⍝ The identity item of each function that has one: x f i is x, or i f x is. For
⍝ doubles ⌊/ and ⌈/ give the largest and the smallest one.
⍝ == input e double 0:
⍝ == input i int 0:
⍝ == input b bool 0:
⍝ == output 0 0 1 1 0 1 1
⍝ == output 0 0 1 1 0 1 1
⍝ == output 1 0 1 0
⍝ == output 0 1 1 0
⍝ == output 1 0
⍝ == output 0 1
⍝ == output 1.797693135E308
⍝ == output ¯1.797693135E308
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 0 2
⍝ == output 1 1
⍝ == output 1 1
⍝ == output 1
⍝ == output 0 0
⎕←(+/e),(-/e),(×/e),(÷/e),(|/e),(*/e),!/e
⎕←(+/i),(-/i),(×/i),(÷/i),(|/i),(*/i),!/i
⎕←(∧/b),(∨/b),(=/b),≠/b
⎕←(</b),(≤/b),(≥/b),>/b
⎕←(∧/i),∨/i
⎕←(+/b),×/b
⎕←⌊/e
⎕←⌈/e
⎕←e+.×e
⎕←e×.+e
⎕←b∧.=b
⎕←⍴(0 3⍴0)∨.∧3 2⍴0
⎕←(2 0⍴0)×.+0 2⍴0
⎕←0÷/e
⎕←+⌿0 2⍴5
