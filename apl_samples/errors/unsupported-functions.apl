⍝ == error 3:4 UNSUPPORTED: ⍎
⍝ == error 4:3 UNSUPPORTED: dyadic ⍋
a←⍎⍕⍳3
a←'ab'⍋'bab'
