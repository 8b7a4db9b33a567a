⍝ How often each word of a text occurs, in the order in which they first occur.
⍝ == output 2 2 1 1
counts ← {{≢⍵}⌸' '(≠⊆⊢)⍵}
⎕←counts 'to be or not to be'
