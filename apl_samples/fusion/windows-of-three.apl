⍝ Windows of 3 × 3 with a kernel, also one that is an argument, read the matrix where it lies: no border is written
⍝ around it.
⍝ == input kernel double 3 3: 0 0 1 0.5 1 0 0 0 ¯1
⍝ == input m double 4 5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20.5
⍝ == output ¯3 ¯1  1  3   11  
⍝ == output 11  7  8  9   21  
⍝ == output 21 12 13 14   30.5
⍝ == output 52 39 41 42.5 68.5
⍝ == output 1.6875  2.75  3.5   4.25     3.5625
⍝ == output 4.75    7     8     9        7.25  
⍝ == output 8.5    12    13    14.03125 11.0625
⍝ == output 8.25   11.5  12.25 13.0625  10.25  
⍝ == output ¯6 ¯5.5 ¯5   ¯4.5  7  
⍝ == output ¯4  0    1.5  3   14.5
⍝ == output  1  7.5  9   10   22  
⍝ == output 28 38   40.5 43   30  
⍝ == structure {allocs 3}
sharpened ← {k←3 3⍴0 ¯1 0 ¯1 5 ¯1 0 ¯1 0 ⋄ {+/,k×⍵}⌺3 3⊢⍵}
blurred ← {k←3 3⍴1 2 1 2 4 2 1 2 1 ⋄ ({+/,k×⍵}⌺3 3⊢⍵)÷16}
filtered ← {k←⍺ ⋄ {+/,k×⍵}⌺3 3⊢⍵}
⎕←sharpened m
⎕←blurred m
⎕←kernel filtered m
