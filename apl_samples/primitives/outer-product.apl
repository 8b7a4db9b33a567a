⍝ a∘.f b pairs each element of a with each of b; the shape of the result is that of a, then that of b.
⍝ == input v int 2: 1 2
⍝ == input e int 0:
⍝ == output 1 2 3
⍝ == output 2 4 6
⍝ == output 3 6 9
⍝ == output 11 21 31
⍝ == output 12 22 32
⍝ == output 0 2
⍝ == output 6 7
⍝ == output 6 7
⍝ == output 6
⍝ == output 1 0 0
⍝ == output 0 1 0
⍝ == output 2 3 4 5
⍝ == output 31 41
⍝ == output 32 42
⍝ == output 1 10
⍝ == output 2 20
⍝ == output
⍝ == output 3 30
⍝ == output 4 40
⍝ == output 0 1  1
⍝ == output 0 5 ¯5
⍝ == output 1 1
⍝ == output 2 2
⍝ == output 2 0
⍝ == output ¯1 ¯2
⎕←1 2 3∘.×1 2 3
⎕←1 2∘.+10 20 30
⎕←⍴(⍳0)∘.+1 2
⎕←5∘.+1 2
⎕←1 2∘.+5
⎕←2∘.×3
⎕←'ab'∘.='abc'
⎕←⍴(2 3⍴0)∘.+4 5⍴0
⎕←1 2∘.{⍺+10×⍵}3 4
⎕←(2 2⍴⍳4)∘.×1 10
⎕←2 0∘.|0 5 ¯5
⎕←v∘.⊣v
⎕←⍴v∘.+e
⎕←-/v∘.×v
