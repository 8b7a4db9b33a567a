⍝ Arrays of arrays as text, as ⎕← shows them: a vector where all arrays in them are scalars or vectors, otherwise the matrix
⍝ of the lines. Each item that is no scalar has a blank on either side.
⍝ == output < 1 2  3 4 >
⍝ == output 10
⍝ == output < ab  c>
⍝ == output < to  be  or >
⍝ == output 12
⍝ == output < a  bc   1 2.5 >
⍝ == output 1 c 2.5
⍝ == output < 1 2 >
⍝ == output 2 10
⍝ == output | 1 2  abc
⍝ == output | 3 4
⍝ == output 2 12
⍝ == output | 1 2  3 4 5
⍝ == output | 6    7 8
⍝ == output 5 5
⍝ == output |  1  1 2    1 2 3
⍝ == output 0
⍝ == output 1 0
⍝ == output 0 0
⍝ == output 2 0
⍝ == output  0.333 0.143  0.0909
⍝ == output  1 0.5  1 0.5 0.333
⍝ == output 1 10
⍝ == output 6 7
x←⍕(1 2)(3 4)
⎕←'<',x,'>'
⎕←⍴x
⎕←'<',(⍕'ab' 'c'),'>'
words←⍕' '(≠⊆⊢)'to be or'
⎕←'<',words,'>'
⎕←⍴words
⎕←'<',(⍕('a' 'bc')(1 2.5)),'>'
⎕←⍕1 'c' 2.5
⎕←'<',(⍕⊂1 2),'>'
m←⍕(2 2⍴⍳4)'abc'
⎕←⍴m
⎕←'|',m
n←⍕2 2⍴(1 2)(3 4 5)(,6)(7 8)
⎕←⍴n
⎕←'|',n
⎕←⍴⍕2 2 1⍴(1 2)(,3)(,4)(5 6)   ⍝ two planes of two lines, and the blank line between
⎕←'|',⍕⍳¨¨(1 2)(,3)
⎕←⍴⍕0⍴⊂1 2
⎕←⍴⍕0⍴⊂2 2⍴0
⎕←⍴⍕0 2⍴⊂1 2
⎕←⍴⍕2 0⍴⊂1 2
⎕PP←3
⎕←⍕(÷3 7)(÷11)
⎕←{⍕÷⍳¨⍵}2 3
⎕←⍴⎕FMT(1 2)(3 4)
⎕←{≢⍕⍳¨⍵}¨(1 1)(,3)
