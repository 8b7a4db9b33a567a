⍝ Bits of numbers, counted, exchanged and taken one with the other; letters counted by their places.
⍝ == input x int 6: 5 0 ¯1 255 ¯256 4096
⍝ == input t char 12: 'a jade cabin'
⍝ == input s char 4: 'xivi'
⍝ == output 0 0 1 1 0 0
⍝ == output 0 0 1 1 0 0
⍝ == output 0 0 1 1 0 0
⍝ == output 0 0 1 1 0 0
⍝ == output 0 0 1 1 0 0
⍝ == output 1 0 1 1 0 0
⍝ == output 0 0 1 1 0 0
⍝ == output 1 0 1 1 0 0
⍝ == output 2 0 16 8 8 1
⍝ == output 2 0 63 8 55 1
⍝ == output 2 0 7 7 0 0
⍝ == output 160 0 255 255 0 0
⍝ == output 6 0 170 170 0 0
⍝ == output 83 85 255 255 85 85
⍝ == output 0 0 15  0 15 0
⍝ == output 0 0 15 15  0 0
⍝ == output 5 0 15 15  0 0
⍝ == output 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
⍝ == output 62
⍝ == output 1 0 1 1 0 0
⍝ == output 1 3 6 8
⍝ == output 3 1 1 1 1 0 0 0 1 1
⍝ == output 1 1 1 ¯1 1 ¯1
⍝ == output 10 1 5 1
⎕←(8⍴2)⊤x
⎕←+⌿(16⍴2)⊤x
⎕←+⌿⊖(63⍴2)⊤x
⎕←+⌿1↓(8⍴2)⊤x
⎕←2⊥⊖(8⍴2)⊤x
⎕←2⊥≠⍀(8⍴2)⊤x
⎕←2⊥=⍀(8⍴2)⊤x
⎕←16 16 16⊤x
⎕←(32⍴4)⊤¯1
⎕←+/(62⍴2)⊤¯1
⎕←∨⌿(8⍴2)⊤x
⎕←((8⍴2)⊤165)/⍳8
⎕←+/'abcdefghij'∘.=t
⎕←¯1*x>5
⎕←1 5 10['ivx'⍳s]
