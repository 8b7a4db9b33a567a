⍝ Conditions as numbers: choosing, clipping, signs, the larger by indexing.
⍝ == input v int 5: ¯7 2 0 12 5
⍝ == output 0 2 0 12 5
⍝ == output 0 2 0 12 5
⍝ == output 0 2 0 10 5
⍝ == output 1 ¯1 0 ¯1 ¯1
⍝ == output ¯1 1 0 1 1
⍝ == output 10 10 10 12 5
⍝ == output 10 10 10 20 20
⍝ == output -+ ++
⍝ == output 1 1 0 1 1
⍝ == output ¯7 2 100 12 5
⍝ == output 0 1 0 0 1
⍝ == output 2
⍝ == output 1 0 0 0 1
⍝ == output 1 1 0 1 1
⍝ == output 0 1 1 0 1
⍝ == output 1 0 0 0 1
⍝ == output 0
⎕←v×v>0
⎕←0⌈v
⎕←0⌈10⌊v
⎕←(v<0)-v>0
⎕←×v
⎕←(v×v>3)+10×v≤3
⎕←10 20[1+v>3]
⎕←'- +'[2+×v]
⎕←v*0=v
⎕←v+100×v=0
⎕←(v>1)∧v<10
⎕←+/(v>1)∧v<10
⎕←1=+/v∘.=¯7 5
⎕←v÷v+v=0
⎕←(|v)≤5
⎕←(2|v)=1
⎕←≠/2|v
