⍝ k⊂v with fewer marks than elements: zeros stand behind them. One mark more is for empty items behind the last.
⍝ == input text char 6: 'abcdef'
⍝ == input few bool 2: 1 0
⍝ == input more int 7: 0 1 0 0 2 0 1
⍝ == input many int 8: 1 0 0 0 0 0 0 1
⍝ == output 2 4
⍝ == output  ab  cdef 
⍝ == output    2 3  4 
⍝ == output 6 0 0
⍝ == output  2 3 
⍝ == output  5 6 
⍝ == output  8 9 
⍝ == output  4 5 6 
⍝ == output  7 8 9 
⍝ == output 0
⍝ == output 6
⍝ == output 3 0 2 0
⍝ == output 3 3
⍝ == error 30:3 LENGTH ERROR: ⊂ needs equal lengths, got 8 and 7
≢¨1 0 1⊂text
1 0 1⊂text
0 2 0 1⊂⍳4
≢¨1 0 0 0 0 0 2⊂text
0 1⊂3 3⍴⍳9
0 1⊂[1]3 3⍴⍳9
≢⍬⊂text
≢¨few⊂text
≢¨more⊂text
≢¨(text∊'ad')⊂text
≢¨many⊂text
