⍝ Characters that follow each other are computed from their place, and not read from a table.
⍝ == input n int 6: 0 9 10 15 3 11
⍝ == case digits, letters, and a place that there is not
⍝ == output 09AF3B
⍝ == output 099939
⍝ == output ajkpdl
⍝ == output 7 1 2 8
⍝ == output gfedcbaABCDEFG
⍝ == output 48 49 50 97 98 99
⍝ == output 1 0 1 0 0 0 0
⍝ == output abcdefghz
⍝ == output AB
⍝ == output CD
⍝ == output EA
⍝ == error 26:3 INDEX ERROR: 'abcdef' has no element 0, the length is 6
⎕←'0123456789ABCDEF'[1+n]
⎕←⎕D[1+9⌊n]
letters←'abcdefghijklmnopqrstuvwxyz'
⎕←letters[n+1]
⎕←'abcdefg'⍳'gab?'
⎕←(⌽'abcdefg'),'ABCDEFG'
⎕←⎕UCS'012abc'
⎕←'abcdefg'∊'ac'
⎕←'zabcdefgh'[⍋'zabcdefgh']
⎕←3 2⍴'ABCDE'
⎕←'abcdef'[n]
