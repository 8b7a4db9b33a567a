⍝ Monadic ⍉ turns the order of the axes round. Element k j i of a cube becomes element i j k.
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 1 2 3
⍝ == output 5
⍝ == output 4 3 2
⍝ == output 1 5
⍝ == output 3 7
⍝ == output
⍝ == output 2 6
⍝ == output 4 8
⍝ == output 3 0
⍝ == output ad
⍝ == output be
⍝ == output cf
⎕←⍉2 3⍴⍳6
⎕←⍉1 2 3
⎕←⍉5
⎕←⍴⍉2 3 4⍴0
⎕←⍉2 2 2⍴⍳8
⎕←⍴⍉0 3⍴0
⎕←⍉2 3⍴'abcdef'
