⍝ ⍸⍣¯1 counts how often each index is there.
⍝ == input b bool 5: 0 1 0 0 1
⍝ == output 0 1 0 0 1
⍝ == output 2 0 1
⍝ == output 
⍝ == output 0 1 0 0 1
where ← ⍸
⍸⍣¯1⊢2 5
⍸⍣¯1⊢1 1 3
where⍣¯1⊢⍬
where⍣¯1⊢where b
