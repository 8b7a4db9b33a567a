⍝ k⊂v with fewer marks than elements: zeros stand behind them. One mark more is for empty items behind the last.
⍝ == input text char 6: 'abcdef'
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
≢¨1 0 1⊂text
1 0 1⊂text
0 2 0 1⊂⍳4
≢¨1 0 0 0 0 0 2⊂text
0 1⊂3 3⍴⍳9
0 1⊂[1]3 3⍴⍳9
≢⍬⊂text
