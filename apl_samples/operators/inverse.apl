⍝ A function to a negative power is its inverse: of arithmetic with one side bound, of scans, structure, and of what is composed of these.
⍝ == input n int: 1234
⍝ == input k int: ¯2
⍝ == output 1 2 3 4
⍝ == output 0 1 9
⍝ == output 9 9 9
⍝ == output 1 1 1 1 1 1
⍝ == output 0
⍝ == output 19
⍝ == output 10
⍝ == output 1232
⍝ == output 1236
⍝ == output ¯1232
⍝ == output 308.5
⍝ == output 3
⍝ == output 7
⍝ == output 7
⍝ == output 7
⍝ == output 1 2 3 4
⍝ == output 1 2 3
⍝ == output 2 2 2
⍝ == output 1 1 0 1 0
⍝ == output 1 2 3 4
⍝ == output 3 1 2
⍝ == output 2 3 1
⍝ == output 8
⍝ == output 3 4
⍝ == output 1 2
⍝ == output 27 46 40
⍝ == output 3723
⍝ == output 0 1
⍝ == output 5 4 13.18151657
⍝ == output 1 4
⍝ == output 4
⍝ == output 1 2
10⊥⍣¯1⊢n
10⊥⍣¯1⊢9 19 99
2⊥⍣¯1⊢63
10⊥⍣¯1⊢0
≢10⊥⍣¯1⊢9223372036854775807
+/10⊥⍣¯1⊢n
(2∘+⍣¯1)n
(-∘2⍣¯1)n
(2∘-⍣¯1)n
(2∘×⍣¯2)n
2*⍣¯1⊢8
(*∘2⍣¯1)49
×⍨⍣¯1⊢49
((2∘×)∘(3∘+)⍣¯1)20
+\⍣¯1⊢1 3 6 10
+\⍣¯1⊢2 3⍴1 3 6 2 4 6
≠\⍣¯1⊢1 0 0 1 1
×\⍣¯1⊢1 2 6 24
(1∘⌽⍣¯1)1 2 3
(1∘⌽⍣k)1 2 3
(+∘1⍣k)10
((1 2∘,)⍣¯1)1 2 3 4
((,∘9)⍣¯1)1 2 9
24 60 60⊥⍣¯1⊢100000
24 60 60⊤⍣¯1⊢1 2 3
*⍣¯1⊢1,*1
(!⍣¯1)120 24 1e10
half←2∘×
shifted←1∘+∘half
(half⍣¯1)2 8
(shifted⍣¯1)9
1 0 1\⍣¯1⊢1 0 2
