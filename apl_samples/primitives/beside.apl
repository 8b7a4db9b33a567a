⍝ f∘g y is f g y; x f∘g y is x f g y. An array on one side of ∘ is bound as an argument.
⍝ == output ¯0.25
⍝ == output 1.25
⍝ == output 1 2
⍝ == output 15
⍝ == output 2
⍝ == output 6
⍝ == output 5
⍝ == output 9 8 7
⍝ == output ¯9 ¯8 ¯7
⍝ == output 2 4 8
⍝ == output 2 3
⍝ == output 11 22
⍝ == output 3 6
⎕←-∘÷4
⎕←1+∘÷4
⎕←2⍴∘⍳3
⎕←+/∘⍳5
⎕←≢∘⍴2 3⍴0
⎕←1∘+5
⎕←÷∘2⊢10
⎕←10∘-1 2 3
⎕←-∘10⊢1 2 3
⎕←2∘*¨1 2 3
⎕←1∘↓1 2 3
⎕←1 2∘+10 20
⎕←+/∘(1∘×)¨3 6
