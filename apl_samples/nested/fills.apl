⍝ What there is no item for is filled with the prototype of the first item: its shape, and fills for its elements.
⍝ == output  1 2 3  4 5  0 0 0 
⍝ == output  0 0 0  1 2 3  4 5 
⍝ == output 3 2 3 3
⍝ == output  1 2 3  0 0 0  4 5 
⍝ == output  1 2 3  0 0 0  0 0 0 
⍝ == output abc
⍝ == output de 
⍝ == output    
⍝ == output 4 2 2
⍝ == output 0
⍝ == output 0
⍝ == output 6 9 0
⍝ == output 0
⍝ == output 2
⍝ == output 0
x←(1 2 3)(4 5)
⎕←3↑x
⎕←¯3↑x
⎕←≢¨4↑x
⎕←1 0 1\x
⎕←1 ¯2/2↑x
⎕←↑3↑'abc' 'de'
⎕←⍴↑4↑{2 2⍴⍵}¨1 2
⎕←≢0↑x
⎕←+/≢¨3↑0⍴x
⎕←+/¨3↑x
y←{⊂⍵}¨'ab' 'cde'
⎕←⍴⊃⊃0↑y
⎕←≢⊃⊃⌽3↑y
⎕←⍴⊃⊃2⍴0⍴y
