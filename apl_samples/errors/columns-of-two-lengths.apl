⍝ Columns of a table have one length.
⍝ == input v int 2: 1 2
⍝ == input w char 3: 'abc'
⍝ == error 5:1 LENGTH ERROR: 2
w,[1.5]v
