⍝ ⍋ and ⍒ of a matrix order its rows: by the first column, then the second and so on. The rows are 2 1, 1 9, 2 0, 1 9.
⍝ == input m int 4 2: 2 1 1 9 2 0 1 9
⍝ == input z double 3 0:
⍝ == output 2 4 3 1
⍝ == output 1 3 2 4
⍝ == output 2 3 1
⍝ == output 1 3 2
⍝ == output 1 2 3
⍝ == output 1 2 3
⍝ == output 0
⍝ == output 2 4 3 1
⍝ == output 1 3 2 4
⍝ == output 1 9
⍝ == output 1 9
⍝ == output 2 0
⍝ == output 2 1
⍝ == output 1 2 3
⎕←⍋4 2⍴2 1 1 9 2 0 1 9
⎕←⍒4 2⍴2 1 1 9 2 0 1 9
⎕←⍋3 3⍴'catbatcab'
⎕←⍒3 3⍴'catbatcab'
⎕←⍋3 0⍴0
⎕←⍒3 0⍴0
⎕←⍴⍋0 3⍴0
⎕←⍋m
⎕←⍒m
⎕←m[⍋m;]
⎕←⍒z
