⍝ Tables by outer products: triangles, identity, multiplication, distances, counts of pairs, bands.
⍝ == input n int: 3
⍝ == input v int 4: 1 3 1 2
⍝ == output 1 1 1
⍝ == output 0 1 1
⍝ == output 0 0 1
⍝ == output 1 0 0
⍝ == output 1 1 0
⍝ == output 1 1 1
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 0 0 1
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 0 0 1
⍝ == output 1 2 3
⍝ == output 2 4 6
⍝ == output 3 6 9
⍝ == output 0 1 2
⍝ == output 1 0 1
⍝ == output 2 1 0
⍝ == output 1 1 0 0
⍝ == output 1 1 1 0
⍝ == output 0 1 1 1
⍝ == output 0 0 1 1
⍝ == output 1 1 1
⍝ == output 1 2 2
⍝ == output 1 2 3
⍝ == output 2 1 1
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 1 0 0
⍝ == output 0 0 1
⍝ == output 2 0 2 1
⍝ == output 11 21
⍝ == output 12 22
⍝ == output 13 23
⍝ == output 1 1 1 1
⍝ == output 1 2 1 2
⍝ == output 1 1 3 1
⍝ == output 1 2 1 4
⍝ == output 0 1 0
⍝ == output 1 0 1
⍝ == output 0 1 0
⍝ == output 5
⍝ == output 0 2 3
⍝ == output 0 0 6
⍝ == output 0 0 0
⎕←(⍳n)∘.≤⍳n
⎕←(⍳n)∘.≥⍳n
⎕←∘.=⍨⍳n
⎕←n n⍴1,n⍴0
⎕←∘.×⍨⍳n
⎕←|∘.-⍨⍳n
⎕←1≥|∘.-⍨⍳4
⎕←∘.⌊⍨⍳n
⎕←+/(⍳n)∘.=v
⎕←v∘.=∪v
⎕←+/v∘.<v
⎕←(⍳n)∘.+10×⍳2
⎕←∘.∨⍨⍳4
⎕←2|∘.+⍨⍳n
⎕←+/,v∘.>v
⎕←((⍳n)∘.<⍳n)×3 3⍴⍳9
