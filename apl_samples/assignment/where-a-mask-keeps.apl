⍝ What a mask keeps of one vector takes the place of what it keeps of another: a choice for each element where the
⍝ lengths are equal, which only the run knows.
⍝ == case equal
⍝ == input a int 4: 1 2 3 4
⍝ == input b int 4: 5 ¯6 7 ¯8
⍝ == output 5 2 7 4
⍝ == output 5 20 7 40
⍝ == case one for all
⍝ == input a int 1: 3
⍝ == input b int 4: 5 ¯6 7 ¯8
⍝ == output 5 3 7 3
⍝ == output 5 30 7 30
⍝ == case none
⍝ == input a int 0:
⍝ == input b int 0:
⍝ == output 
⍝ == output 
⍝ == case other lengths
⍝ == input a int 3: 1 2 3
⍝ == input b int 4: 5 ¯6 7 ¯8
⍝ == error 22:31 LENGTH ERROR: / needs equal lengths, got 4 and 3
replaced←{r←⍵ ⋄ m←r<0 ⋄ (m/r)←m/⍺ ⋄ r}
scaled←{r←⍵ ⋄ m←r<0 ⋄ (m/r)←10×m/⍺ ⋄ r}
⎕←a replaced b
⎕←a scaled b
