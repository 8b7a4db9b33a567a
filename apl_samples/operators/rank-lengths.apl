⍝ The frames must agree: here two numbers, and three rows.
⍝ == input n int 2: 1 2
⍝ == error 4:3 LENGTH ERROR: ⍤
⎕←n(+⍤0 1)3 3⍴⍳9
