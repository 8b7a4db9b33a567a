⍝ Dyadic ≡ compares shape and elements, not types: but an empty text and an empty vector of numbers differ.
⍝ == input v double 3: 1 2 3
⍝ == input w double 2: 1 2
⍝ == output 1 0
⍝ == output 0
⍝ == output 1
⍝ == output 1 0
⍝ == output 0
⍝ == output 0
⍝ == output 1
⍝ == output 0 0
⍝ == output 1 1 1
⍝ == output 1
⍝ == output 0
⍝ == output 1 0
⍝ == output 1 0
⎕←(1 2 3≡1 2 3),1 2≡1 2 3
⎕←5≡,5
⎕←1≡1.0
⎕←('abc'≡'abc'),'abc'≡'abd'
⎕←⍬≡''
⎕←'a'≡,'a'
⎕←(2 2⍴⍳4)≡2 2⍴⍳4
⎕←((0 3⍴0)≡3 0⍴0),(0 3⍴0)≡0 2⍴0
⎕←(⍬≡⍳0),(⍬≡0⍴1.5),''≡0⍴'a'
⎕←(1=1)≡1
⎕←'a'≡1
⎕←(v≡1 2 3),v≡1 2
⎕←(w≡2↑v),w≡v
