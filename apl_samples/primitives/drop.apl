⍝ Dyadic ↓ drops from the front, with a negative count from the end, at most all there is. Fewer counts than axes
⍝ drop along the leading axes. A scalar is as good as an array of one element: 0↓5 is a vector.
⍝ == output 2 3
⍝ == output 1 2
⍝ == output
⍝ == output
⍝ == output 1 2 3
⍝ == output 0
⍝ == output 1
⍝ == output 0 0
⍝ == output 5 6
⍝ == output 8 9
⍝ == output 1 2 3
⍝ == output 4 5 6
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 0 3
⍝ == output 1 0 2
⍝ == output 2
⍝ == output 4
⍝ == output
⍝ == output 6
⍝ == output 8
⍝ == output cd
⍝ == output 1 2 3
⍝ == output 0
⎕←1↓1 2 3
⎕←¯1↓1 2 3
⎕←5↓1 2 3
⎕←¯5↓1 2 3
⎕←0↓1 2 3
⎕←⍴1↓5
⎕←⍴0↓5
⎕←⍴1 1↓5
⎕←1 1↓3 3⍴⍳9
⎕←¯1 0↓3 3⍴⍳9
⎕←1↓3 2⍴⍳6
⎕←⍴4↓2 3⍴0
⎕←⍴1 2↓2 2 2⍴0
⎕←0 0 1↓2 2 2⍴⍳8
⎕←2↓'abcd'
⎕←⍬↓1 2 3
⎕←⍴1↓⍬
