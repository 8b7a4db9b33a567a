⍝ A table of what is searched keeps pointing at the array after its memory has changed hands: the program was refused
⍝ by the checker of Laila.
⍝ == input v int 0:
⍝ == output 
⍝ == output 1 2 2
⎕←(1↑0\0)⍳?1+|v
⎕←(1↑0\0)⍳0 1,1⌈≢v
