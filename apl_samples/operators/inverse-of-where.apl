⍝ ⍸⍣¯1 counts how often each index is there; pairs are the indices of a matrix.
⍝ == input b bool 5: 0 1 0 0 1
⍝ == output 0 1 0 0 1
⍝ == output 2 0 1
⍝ == output 
⍝ == output 0 1 0 0 1
⍝ == output 1 0 1
⍝ == output 0 0 2
⍝ == output 0 0
⍝ == output 0 3
⍝ == output 0 0
⍝ == output 0 1 1
where ← ⍸
⍸⍣¯1⊢2 5
⍸⍣¯1⊢1 1 3
where⍣¯1⊢⍬
where⍣¯1⊢where b
where⍣¯1⊢where 2 3⍴1 0 1 0 0 2
where⍣¯1⊢(2 2)(2 2)(2 2)
⍴where⍣¯1⊢where 0 3⍴1
{⎕IO←0 ⋄ ⍸⍣¯1⊢⍵}1 2
