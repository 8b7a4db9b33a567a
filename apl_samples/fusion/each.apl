⍝ A reduction inside ¨ is a loop inside the loop.
⍝ == input n int: 5
⍝ == output 153
⍝ == structure {loops 2, allocs 0, modulo 0, branches 0}
+/{×/⍳⍵}¨⍳n
