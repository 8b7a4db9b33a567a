⍝ The product of two matrices.
⍝ == output  58  64
⍝ == output 139 154
⍝ == structure {loops 2, allocs 0, modulo 0, branches 0}
product ← {⍺+.×⍵}
⎕←(2 3⍴⍳6)product 3 2⍴6+⍳6
