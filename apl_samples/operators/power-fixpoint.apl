⍝ f⍣≡ goes on until a step changes nothing. Heron's root of 16 from 1 comes to 4 exactly, and stays.
⍝ == input x double: 100
⍝ == output 0
⍝ == output 4
⍝ == output 10
⍝ == output 0 0 0
⍝ == output 1 1 5
⍝ == output 0 1 1
⍝ == output 0 0 1
⍝ == output 0 0 0
⍝ == output 0 1 3
⍝ == output 5 0 2
⍝ == output 3 4 0
⍝ == output 3 1
⍝ == output 0
⍝ == output
⎕←{⌊⍵÷2}⍣≡100
⎕←{0.5×⍵+16÷⍵}⍣≡1
⎕←{0.5×⍵+x÷⍵}⍣≡1
⎕←{⌊0.5×⍵}⍣≡5 9 100
⎕←(1∘⌈)⍣≡¯5 0 5
⎕←{⍵∨⍵∨.∧⍵}⍣≡3 3⍴0 1 0 0 0 1 0 0 0
⎕←{⍵⌊⍵⌊.+⍵}⍣≡3 3⍴0 1 9 9 0 2 3 9 0
⎕←∪⍣≡3 1 3 1
⎕←{⌊⍵÷10}⍣=12345
⎕←{(⍵≠0)/⍵-1}⍣≡3 1 2
