⍝ == error 3:3 UNSUPPORTED: monadic ⍎
⍝ == error 4:3 UNSUPPORTED: dyadic ⍋
a←⍎'1+1'
a←'ab'⍋'bab'
