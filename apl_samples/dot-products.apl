⍝ The inner product of vectors with several pairs of functions.
⍝ == input v int 4: 3 1 4 1
⍝ == input x double 4: 0.5 1.5 ¯1 2
⍝ == output 25
⍝ == output 25
⍝ == output 1
⍝ == output 9
⍝ == output 3
⍝ == output 0 1
⍝ == output 2
⍝ == output 12
⍝ == output 1
⍝ == output 5
⍝ == output 0
⍝ == output 4
w ← 2 7 1 8
⎕←+/v×w              ⍝ 6+7+4+8
⎕←v+.×w
⎕←v+.×x              ⍝ 1.5+1.5-4-2
⎕←v⌈.+w              ⍝ the largest of 5 8 5 9
⎕←v⌊.⌈w              ⍝ the smallest of 3 7 4 8
⎕←(v∧.<w),v∧.<w+4    ⍝ 3<2 fails, 3 1 4 1<6 11 5 12 holds
⎕←v+.=3 7 4 8        ⍝ how many are equal
⎕←v×.+0 1 ¯2 0       ⍝ 3×2×2×1
⎕←v∨.>w              ⍝ 3>2
⎕←v-.÷1 ¯1 2 1       ⍝ 3-¯1-2-1
⎕←(v>2)=.∧w>1        ⍝ 1=0=0=0 is 1=0=1
⎕←x⌈.×x              ⍝ the largest of 0.25 2.25 1 4
