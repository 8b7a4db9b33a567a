⍝ Where f gives arrays of one shape, f¨ gives a regular array: the shape of the argument, then that of the results. In
⍝ other APLs it would be an array of boxes. This is the one deliberate difference.
⍝ == input v int 3: 1 2 3
⍝ == output 1 1
⍝ == output 2 4
⍝ == output 3 9
⍝ == output 1 ¯1
⍝ == output 2 ¯2
⍝ == output 3 ¯3
⍝ == output 3 2
⍝ == output 3 2 3
⍝ == output 1 1
⍝ == output 1 1
⍝ == output
⍝ == output 2 2
⍝ == output 2 2
⍝ == output 1 10
⍝ == output 2 20
⍝ == output
⍝ == output 3 30
⍝ == output 4 40
⍝ == output 1 10 100
⍝ == output 2 20 200
⍝ == output 3 30 300
⍝ == output aaa
⍝ == output bbb
⍝ == output 2
⍝ == output 0 3
⍝ == output 2 4 6
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 0 0 1
⎕←↑{⍵,⍵*2}¨⍳3
⎕←↑{⍵,-⍵}¨v
⎕←⍴↑{⍵,⍵}¨v
⎕←⍴↑{2 3⍴⍵}¨v
⎕←↑{2 2⍴⍵}¨1 2
⎕←↑{⍵,10×⍵}¨2 2⍴⍳4
⎕←↑{⍵×1 10 100}¨v
⎕←↑{3⍴⍵}¨'ab'
⎕←⍴↑{⍵,⍵}¨5
⎕←⍴↑{⍵,⍵,⍵}¨⍬
⎕←+/↑{⍵,⍵}¨v
⎕←↑{v=⍵}¨v
