⍝ Digits of numbers: their sum, the numbers that are the sum of the cubes of their digits, and reversed numbers.
⍝ == input n int: 1000
⍝ == output 54
⍝ == output 1 153 370 371 407
⍝ == output 4321
⍝ == output 9009
digits←10∘⊥⍣¯1
+/digits !20
(k=+⌿(digits k)*3)/k←⍳n
10⊥⌽digits 1234
⌈/(p=10⊥⊖digits p)/p←,∘.×⍨89+⍳10
