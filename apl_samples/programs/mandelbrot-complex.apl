⍝ Mandelbrot's set in complex numbers: how often z←c+z×z stays within 2, at most n times; then all points at once, and a
⍝ picture. The table was counted in Python.
⍝ == structure {allocs 0, checks 0, modulo 0, branches 0}
⍝ == output  1  2  3  4 12 2
⍝ == output  1  3  5 12 12 5
⍝ == output 12 12 12 12 12 5
⍝ == output  1  3  5 12 12 5
⍝ == output  1  2  3  4 12 2
⍝ == output     * 
⍝ == output    ** 
⍝ == output ***** 
⍝ == output    ** 
⍝ == output     * 
⍝ == output 1
n←12
c←(0J1×¯1+0.5×¯1+⍳5)∘.+¯2+0.5×¯1+⍳6
count←{c←⍵ ⋄ 0{(⍺=n)∨2<|⍵:⍺ ⋄ (⍺+1)∇ c+⍵×⍵}0J0}¨c
⎕←count
step←{in←2≥|⍵ ⋄ (⍵×~in)+in×c+⍵×⍵}
inside←2≥|step⍣(n-1)⊢0×c
⎕←' *'[1+inside]
⎕←inside≡count=n
