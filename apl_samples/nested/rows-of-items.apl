⍝ ⍋ ⍒ and ⍳ of matrices whose items are arrays: row by row, as of simple matrices.
⍝ == output 3 2 1 4
⍝ == output 1 4 2 3
⍝ == output  ab  cc
⍝ == output  ab  cd
⍝ == output  cd  xy
⍝ == output  cd  xy
⍝ == output 1 2 3 1
⍝ == output 3
⍝ == output 5
⍝ == output 1 2
⍝ == output 3 1
⍝ == output 1 3
m←4 2⍴'cd' 'xy' 'ab' 'cd' 'ab' 'cc' 'cd' 'xy'
⍋m ⋄ ⍒m ⋄ m[⍋m;] ⋄ m⍳m ⋄ m⍳'ab' 'cc' ⋄ m⍳1 2⍴'zz' 'cd' ⋄ m⍳2 2 2⍴m ⋄ (2 3⍴(1 2)(3 4 5)⍬)⍳2 3⍴(1 2)(3 4 5)⍬⍬
