⍝ The shape of a∘.f b is that of a followed by that of b, scalars and empty arrays included.
⍝ == input m int 2 2: 1 2 3 4
⍝ == input n int: 3
⍝ == output 1 10
⍝ == output 2 20
⍝ == output
⍝ == output 3 30
⍝ == output 4 40
⍝ == output  1  2
⍝ == output  3  4
⍝ == output
⍝ == output 10 20
⍝ == output 30 40
⍝ == output 2 2 2 2
⍝ == output 4 5
⍝ == output 6 7
⍝ == output 4 5
⍝ == output 6 7
⍝ == output 9
⍝ == output 2 2 0
⍝ == output 3 3 3
⍝ == output 45 54 63
⍝ == output 2 6 12
⍝ == output 1 1
⎕←m∘.×1 10
⎕←1 10∘.×m
⎕←⍴m∘.+m
⎕←m∘.+n
⎕←n∘.+m
⎕←n∘.×n
⎕←⍴m∘.+⍬
⎕←⍴(⍳n)∘.+(⍳n)∘.×⍳n
⎕←+/+/(⍳n)∘.+(⍳n)∘.×⍳n
⎕←1 1 1⍉(⍳n)∘.+(⍳n)∘.×⍳n
⎕←⍴(,n)∘.+,n
