⍝ Each step of a reduction happens, also where the next one ignores its result: what it prints is printed, and
⍝ what fails in it fails. A scan reduces each prefix anew, one after the other, and a reduction each row.
⍝ == input v int 3: 1 2 3
⍝ == output 7
⍝ == output 7
⍝ == output 7
⍝ == output 7
⍝ == output 7
⍝ == output 1 7 7
⍝ == output 2
⍝ == output 1
⍝ == output 1
⍝ == output 5
⍝ == output 1
⍝ == output 2
⍝ == output 1
⍝ == output 2
⍝ == output 1
⍝ == output 5
⍝ == output 4
⍝ == output 2
⍝ == output 1
⍝ == output 3
⍝ == output 2
⍝ == error 35:6 DOMAIN ERROR: ÷ divides by zero
r←{(⎕←7)⊣⍵}/v
r←{(⎕←7)⊣⍵}\v
⎕←r
r←{(⎕←⍺)⊣⍵}/3↑v
⎕←r
⎕←{⍺>4:⍺ ⋄ ⍵-÷⍺}/5,0+2↑v
r←{(⎕←⍺)⊣⍵}\v
r←{(⎕←⍺)⊣⍵}/2 3⍴⍳6
r←3{(⎕←⍺)⊣⍵}/⍳4
⎕←2{(÷⍺)⊣⍵}/3↑v-2
