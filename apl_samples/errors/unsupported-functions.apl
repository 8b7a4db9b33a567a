⍝ == error 4:3 UNSUPPORTED: monadic ⍎
⍝ == error 5:3 UNSUPPORTED: monadic ≠
⍝ == error 6:3 UNSUPPORTED: dyadic ⍋
a←⍎'1+1'
a←≠1 2 1
a←'ab'⍋'bab'
