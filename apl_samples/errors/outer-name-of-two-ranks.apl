⍝ A name of the program is a text on one way through a function and a single character on the other.
⍝ == input word char 3: 'abc'
⍝ == input n int: 2
⍝ == error 6:1 UNSUPPORTED: code behind which word, which is defined outside, is char on one way and [char]1 on another is not supported yet: write , in front of the scalar
∇ shorten
:If n>1
  word←⊃word
:EndIf
∇
shorten
⎕←n
