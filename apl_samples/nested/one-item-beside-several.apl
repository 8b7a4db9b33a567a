⍝ One item that is computed, beside several elements, belongs to each of them.
⍝ == input v int 4: 0 3 ¯1 2
⍝ == input u int 3: 1 2 3
⍝ == input b bool 4: 0 1 0 0
⍝ == output  2 4  3 5  4 6 
u+¨⍸¨1<b⊂v
