⍝ Monadic ⍋ is the order that sorts: first the index of the smallest element. Equal ones keep their order; characters
⍝ go by code point: A before a. Numbers beyond 2*53 are told apart.
⍝ == input v double 5: 2.5 ¯1 2.5 0 ¯1
⍝ == input n int 3: 3 1 2
⍝ == input e int 0:
⍝ == output 2 3 1
⍝ == output 3 1 2 4
⍝ == output 2 4 1 3
⍝ == output 2 4 6 1 3 5
⍝ == output 2 3 1
⍝ == output 2 1 3
⍝ == output
⍝ == output 1
⍝ == output 2 1
⍝ == output 1 1 2 3
⍝ == output 3 1 2
⍝ == output 2 5 4 1 3
⍝ == output 1 2 3
⍝ == output
⎕←⍋3 1 2
⎕←⍋1 1 0 1
⎕←⍋2.5 ¯1 2.5 0
⎕←⍋'banana'
⎕←⍋'bAa'
⎕←⍋1 0 1=1
⎕←⍋⍬
⎕←⍋,5
⎕←⍋9007199254740993 9007199254740992
⎕←{⍵[⍋⍵]}3 1 2 1
⎕←⍋⍋30 10 20         ⍝ the rank of each
⎕←⍋v
⎕←n[⍋n]
⎕←⍋e
