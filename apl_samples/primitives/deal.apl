⍝ a?b draws a different numbers from 1 to b.
⍝ == input k int: 3
⍝ == input n int: 10
⍝ == output 1 2 3 4 5
⍝ == output 3
⍝ == output 30
⍝ == output 1
⍝ == output 0
⍝ == output
⍝ == output 1
⍝ == output 1
⍝ == output 3
⍝ == output 3 1
⍝ == output 1 0
⎕RL←42
⎕←{⍵[⍋⍵]}5?5
⎕←⍴3?10
⎕←≢∪30?40
⎕←∧/(30?40)∊⍳40
⎕←⍴0?5
⎕←0?0
⎕←1?1
⎕←⍴1?1
⎕←⍴(,3)?10
⎕←(≢∪k?n),∧/(k?n)∊⍳n
⎕RL←7 ⋄ a←50?1000 ⋄ b←50?1000
⎕RL←7 ⋄ c←50?1000
⎕←(a≡c),a≡b
