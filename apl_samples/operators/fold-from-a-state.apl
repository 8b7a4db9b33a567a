⍝ A fold whose last item is a state: it may be of another shape and type than the items, of which only the run
⍝ knows how many there are, may widen, grow, and be a strand. The items are never joined.
⍝ == input n int: 5
⍝ == input m int 3 2: 1 2 3 4 5 6
⍝ == input text char 8: 'ab cde f'
⍝ == output 720 1440 2160
⍝ == output 3.75 7.5 11.25
⍝ == output 1 2 3
⍝ == output 6
⍝ == output 2 3 1
⍝ == output  ba  edc  f 
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 5 6
⍝ == output 35 44
⍝ == output 44 56
⍝ == output 43 225
⍝ == output  1 2 3 4 5  7.59375
⍝ == output  1 2 3 4 5  7.59375
⍝ == output 720 1440 2160 5
⍝ == output 16 17
⍝ == output 20
⍝ == output  xy  ab  cde  f 
⍝ == output 6 6
⍝ == output 1 2 3
⍝ == output 32 34 36
⍝ == output 3.5 4.5
⍝ == output 3.5 4.5
⍝ == output edcxabf
⍝ == output 830 651 472
words ← ' '(≠⊆⊢)text
fold ← {⊃⍺⍺/(⌽⍵),⊂⍺}
⎕←⊃{⍵+⍺×⍵}/(⌽⍳n),⊂1 2 3
⎕←⊃{⍵×0.5+⍺}/(⍳n-3),⊂1 2 3
⎕←⊃{⍵+⍺}/(⍳n-5),⊂1 2 3
⎕←⊃{⍵+≢⍺}/words,0
⎕←⊃{⍵,≢⍺}/(⌽words),⊂⍬
⎕←⊃{⍵,⊂⌽⍺}/(⌽words),⊂⍬
⎕←⊃{⍵⍪⍺}/(⌽↓m),⊂0 2⍴0
⎕←⊃{⍵+⍺∘.×⍺}/(⌽↓m),⊂2 2⍴0
⎕←⊃{(a b)←⍵ ⋄ b(a+b×⍺)}/(⌽⍳n),⊂0 1
⎕←⊃{(a b)←⍵ ⋄ (a,⍺)(b×1.5)}/(⌽⍳n),⊂⍬ 1
⎕←⊃{(a b)←⍺ ⋄ (a,⍵)(b×1.5)}⍨/⌽(⊂⍬ 1),⍳n
count ← 0
counted ← ⊃{count+←1 ⋄ ⍵+⍺×⍵}/(⌽⍳n),⊂1 2 3
⎕←counted,count
⎕←1 2(+fold)⍳n
⎕←5(+fold)⍳n
⎕←(⊂'xy')({⍵,⊂⍺}fold)words
s ← (⌽⍳n),⊂1 2 3
⎕←(≢s),⍴s
⎕←⊃⌽s
⎕←⊃+/(⌽s),s
⎕←⊃{0.5×⍵+⍺}/(⌽↓m),⊂1 2 ⍝ the state is like the items
⎕←⊃{0.5×⍵+⍺}/⌽(⊂1 2),↓m
⎕←⊃{(⌽⍵),⍺}/(⌽words),⊂'x' ⍝ a scalar that becomes a vector
⎕←⊃{1009|⍵+⍺×⍵}/(⌽⍳100),⊂1 2 3 ⍝ a loop, too
