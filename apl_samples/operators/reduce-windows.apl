⍝ n f/ reduces every window of n elements, right to left inside it. A negative n turns each window round, 0 gives an
⍝ identity item before, between and after the elements; one element more than there are leaves no window.
⍝ == input v double 5: 1 4 9 16 25
⍝ == output 4 9 16
⍝ == output ¯3 ¯5 ¯7
⍝ == output 3 5 7
⍝ == output 3 5 7
⍝ == output 4 4 5 9 9 9
⍝ == output 321 432
⍝ == output 123 234
⍝ == output 5 6
⍝ == output 5 6
⍝ == output 0 0 0
⍝ == output 1 1 1
⍝ == output 6
⍝ == output 1
⍝ == output 0
⍝ == output 1 0 1 0
⍝ == output 1 0 1
⍝ == output 3 5 7 9
⍝ == output 4.666666667 9.666666667 16.66666667
⍝ == output 2.25 7.111111111 14.0625
⎕←2+/1 3 6 10
⎕←2-/1 4 9 16
⎕←2-⍨/1 4 9 16
⎕←¯2-/1 4 9 16
⎕←3⌈/3 1 4 1 5 9 2 6
⎕←3{⍺+10×⍵}/1 2 3 4
⎕←¯3{⍺+10×⍵}/1 2 3 4
⎕←1+/5 6
⎕←¯1-/5 6
⎕←0+/5 6
⎕←0×/5 6
⎕←3+/1 2 3
⎕←⍴3+/1 2 3
⎕←⍴4+/1 2 3
⎕←2=/1 1 2 2 3
⎕←2</3 5 4 8
⎕←2-⍨/v
⎕←(3+/v)÷3
⎕←3÷/v
