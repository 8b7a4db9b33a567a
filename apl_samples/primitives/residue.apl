⍝ Dyadic | is the remainder of the right argument: a|b is b-a×⌊b÷a, so it lies between 0 and a and has the
⍝ sign of a; 0|b is b. ¯5|3: ⌊3÷¯5 is ¯1, and 3-¯5×¯1 is ¯2.
⍝ == input a int 8: 3 3 ¯3 ¯3 0 0 ¯5 5
⍝ == input b int 8: 7 ¯7 7 ¯7 5 ¯5 3 0
⍝ == output 1 2 ¯2 ¯1
⍝ == output 5 ¯5
⍝ == output ¯2
⍝ == output 0
⍝ == output 0.75 0.25
⍝ == output 2 ¯0.5
⍝ == output 0 1 0
⍝ == output 1 2 3 4 0 1 2
⍝ == output 2.5
⍝ == output 0 0
⍝ == output 0 ¯6 0
⍝ == output
⍝ == output 1 2 ¯2 ¯1 5 ¯5 ¯2 0
⍝ == output 1 2 ¯2 ¯1 5 ¯5 ¯2 0
⎕←3 3 ¯3 ¯3|7 ¯7 7 ¯7
⎕←0|5 ¯5
⎕←¯5|3
⎕←5|0
⎕←1|2.75 ¯2.75
⎕←2.5 ¯2.5|7
⎕←2 3 5|10
⎕←5|⍳7
⎕←0|2.5
⎕←¯1 1|7
⎕←3 0 ¯3|¯6
⎕←2|⍬
⎕←a|b
⎕←(a×1.0)|b
