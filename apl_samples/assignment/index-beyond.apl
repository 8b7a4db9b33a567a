⍝ An index must name an element.
⍝ == input i int: 4
⍝ == output 1 2 3
⍝ == error 7:1 INDEX ERROR: 4
x←1 2 3
⎕←x
x[i]←5
⎕←x
