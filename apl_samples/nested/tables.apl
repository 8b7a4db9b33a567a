⍝ Tables: matrices whose columns have types of their own, here texts, integers and doubles. ↑ makes one of records,
⍝ ↓ of a table makes records, and ↓⍉ the columns. Columns of one type taken alone are a plain matrix.
⍝ == output  pear   3 0.25
⍝ == output  apple  1 0.5
⍝ == output  fig    7 2
⍝ == output 3 3
⍝ == output 3 1 7
⍝ == output  apple  1 0.5
⍝ == output  fig    7 2
⍝ == output  pear   3 0.25
⍝ == output  pear  3 0.25
⍝ == output  fig   7 2
⍝ == output 15.25
⍝ == output  pear   3 0.25
⍝ == output  apple  1 0.5
⍝ == output  fig    7 2
⍝ == output  kiwi   9 0.125
⍝ == output  pear   3 0.25  0.75
⍝ == output  apple  1 0.5   0.5
⍝ == output  fig    7 2    14
⍝ == output   pear  3 0.25   apple  1 0.5   fig  7 2
⍝ == output  pear  apple  fig
⍝ == output 3 1 7
⍝ == output 0.25 0.5 2
⍝ == output  pear  3 0.25
⍝ == output 1
t←↑('pear' 3 0.25)('apple' 1 0.5)('fig' 7 2)
t
⍴t
t[;2]
t[⍋t[;1];]
(t[;2]>2)⌿t
+/×/t[;2 3]
t⍪'kiwi' 9 0.125
t,t[;2]×t[;3]
↓t
(names counts prices)←↓⍉t
names
counts
prices
t[1;]
t≡⍉↑names counts prices
