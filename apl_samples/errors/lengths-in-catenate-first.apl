⍝ An empty matrix has columns too.
⍝ == input m int 0 3:
⍝ == error 4:1 LENGTH ERROR: ⍪
m⍪1 2
