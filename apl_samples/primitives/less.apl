⍝ Dyadic <. In 1<2<3 the right comparison comes first: 1<1 is 0.
⍝ == output 1 0 0
⍝ == output 1
⍝ == output 1 0
⍝ == output 0
⍝ == output
⍝ == output 1 1
⍝ == output 0 0
⎕←1 2 3<2
⎕←¯1.5<¯1
⎕←0<1 0
⎕←1<2<3
⎕←⍬<⍬
⎕←(2 2⍴⍳4)<3
