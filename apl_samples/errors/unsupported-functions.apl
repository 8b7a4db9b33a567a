⍝ == error 3:3 UNSUPPORTED: monadic ⍎
⍝ == error 4:3 UNSUPPORTED: monadic ≠
a←⍎'1+1'
a←≠1 2 1
