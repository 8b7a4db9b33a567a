⍝ f¨ of items: of any shape, with scalars, with as many items, and inside one another.
⍝ == output 6 9 30
⍝ == output  3 2 1  5 4  9 8 7 6 
⍝ == output  1  4 5  6 7 8 
⍝ == output  1 2 3 0  4 5 0  6 7 8 9 0 
⍝ == output  1 2 3 10  4 5 20  6 7 8 9 30 
⍝ == output  2 3 4  5 6  7 8 9 10 
⍝ == output  1 4 9  16 25  36 49 64 81 
⍝ == output  9 8 7  16 15  24 23 22 21 
⍝ == output  1 2 3    1 2 
⍝ == output  1 ¯1  2 ¯2 
⍝ == output  1 3  5  7 9 
⍝ == output  3  2  4 
⍝ == output  1 3  1 4 
⍝ == output  2 3  2 4 
⍝ == output  6 9 30  6 9 
⍝ == output  4 5  5 6 
⍝ == output  1 1  2 2 
⍝ == output  1 1  2 2 
⍝ == output  ¯1 ¯2 ¯3  ¯4 ¯5  ¯6 ¯7 ¯8 ¯9 
⍝ == output  3 2 1  5 4  9 8 7 6 
⍝ == output  4 5  7 8  10 11 
⍝ == output  3 6  4 8  5 10 
x←(⍳3)(4 5)(6 7 8 9)
⎕←+/¨x
⎕←⌽¨x
⎕←1 2 3↑¨x
⎕←x,¨0
⎕←x,¨10 20 30
⎕←x+1
⎕←x×x
⎕←10 20 30-x
⎕←⍳¨3 0 2
⎕←{⍵,-⍵}¨1 2
⎕←{⍵/⍨2|⍵}¨x
⎕←⍴¨x
⎕←1 2∘.,3 4
⎕←{+/¨⍵}¨(x)(2↑x)
⎕←(⊂1 2)+¨3 4
⎕←{2 2⍴⍵}¨1 2
⎕←-¨¨x
⎕←{⍵[⍒⍵]}¨x
some←(2<⍳5)/⍳5
⎕←some+(1 2)(3 4)(5 6)
⎕←(⊂1 2)×some
