⍝ Histograms: counts by an outer comparison, by intervals, as a picture.
⍝ == input v int 10: 3 1 4 1 5 9 2 6 5 3
⍝ == input x double 6: 0.1 0.35 0.5 0.99 0.51 0.2
⍝ == output 2 1 2 1 2 1 0 0 1
⍝ == output **
⍝ == output *
⍝ == output **
⍝ == output *
⍝ == output **
⍝ == output *
⍝ == output
⍝ == output
⍝ == output *
⍝ == output 2 1 2 1
⍝ == output 2 1 2 1
⍝ == output 1 1 1 1 1 1 1 1 1 1
⍝ == output 3 1 4 5 9 2 6
⍝ == output 2 2 1 2 1 1 1
⍝ == output 3
⍝ == output # # #
⍝ == output ######  #
count←{+/(⍳⌈/⍵)∘.=⍵}
⎕←count v
⎕←' *'[1+(count v)∘.≥⍳2]
⎕←+/(⍳4)∘.=1+⌊4×x
⎕←+/(⍳4)∘.=0 0.25 0.5 0.75⍸x
⎕←+/v∘.=⍳⌈/v
u←∪v
⎕←u
⎕←+/u∘.=v
mode←{u←∪⍵ ⋄ u[{⍵⍳⌈/⍵}+/u∘.=⍵]}
⎕←mode v
⎕←⊖⍉' #'[1+(count v)∘.≥⍳2]
