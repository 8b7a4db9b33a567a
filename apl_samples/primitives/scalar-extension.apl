⍝ A scalar goes with every element of the other argument, and so does an array that is known to have one element;
⍝ the result has the shape of the other. Of two single elements the one of higher rank gives the shape.
⍝ == output 11 12 13
⍝ == output 11 12 13
⍝ == output 6 7
⍝ == output 8 9
⍝ == output 6 7
⍝ == output 8 9
⍝ == output 1
⍝ == output 1
⍝ == output 1 1
⍝ == output 0
⍝ == output 0
⍝ == output 0 3
⍝ == output 1 0 1
⎕←1 2 3+10
⎕←1 2 3+,10
⎕←5+2 2⍴⍳4
⎕←(,5)+2 2⍴⍳4
⎕←⍴5+,6
⎕←⍴(,5)+,6
⎕←⍴(,5)+1 1⍴6
⎕←⍴⍬+5
⎕←⍴⍬+,5
⎕←⍴(0 3⍴0)+5
⎕←(,'a')='aba'
