⍝ The size of the windows is data. There may be one element fewer than it asks for, not more.
⍝ == input v int 4: 5 3 8 1
⍝ == case two
⍝ == input n int: 2
⍝ == output 2 ¯5 7
⍝ == output 8 11 9
⍝ == case two, turned round
⍝ == input n int: ¯2
⍝ == output ¯2 5 ¯7
⍝ == output 8 11 9
⍝ == case all
⍝ == input n int: 4
⍝ == output 9
⍝ == output 17
⍝ == case one more: no window
⍝ == input n int: 5
⍝ == output
⍝ == output
⍝ == case zero: identity items
⍝ == input n int: 0
⍝ == output 0 0 0 0 0
⍝ == output 0 0 0 0 0
⍝ == case two more
⍝ == input n int: 6
⍝ == error 26:3 LENGTH ERROR: /
⎕←n-/v
⎕←n+/v
