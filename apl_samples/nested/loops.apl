⍝ Arrays of arrays that grow: item by item, round by round, and in a recursive function.
⍝ == output  1 2  3 4 5 
⍝ == output  1  1 2  1 2 3  1 2 3 4 
⍝ == output  abc  bc  c   
⍝ == output  1  1 1  1 2 1  1 3 3 1  1 4 6 4 1  1 5 10 10 5 1 
⍝ == output    1  1 2  1 2 3 
⍝ == output 9
⍝ == output  1 2  3 4 5  0 3 4 5  0 0 3 4 5 
⍝ == output 2 4
⍝ == output 1 1
⍝ == output 1
x←⍬
x,←⊂1 2
x,←⊂3 4 5
⎕←x
∇r←collect n;i
r←⍬
:For i :In ⍳n
  r,←⊂⍳i
:EndFor
∇
⎕←collect 4
⎕←({⍵,⊂1↓⊃⌽⍵}⍣{0=≢⊃⌽⍺}),⊂'abc'
⎕←5{{⍵,⊂(0,⊃⌽⍵)+(⊃⌽⍵),0}⍣⍺⊢⍵},⊂,1
prefixes←{⍵≤0:,⊂⍬ ⋄ (∇⍵-1),⊂⍳⍵}
⎕←prefixes 3
∇r←total words;w
r←0
:For w :In words
  r←r+≢w
:EndFor
∇
⎕←total 'ab' 'cde' 'f',¨⊂'!'
grow←{⍺≤0:⍵ ⋄ (⍺-1)∇ ⍵,⊂0,⊃⌽⍵}
⎕←(⊃⌽⍴x)grow(1 2)(3 4 5)
⎕←({⍵,⊂1↓⊃⌽⍵}⍣2⊢,⊂⍳3)⍳(2 3)(3 3)
⎕←(2 3)(⍳3)∊({⍵,⊂1↓⊃⌽⍵}⍣2⊢,⊂⍳3)
⎕←({⍵,⊂1↓⊃⌽⍵}⍣2⊢,⊂⍳3)≡(⍳3)(2 3)(,3)
