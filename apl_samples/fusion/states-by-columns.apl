⍝ A state for each row of a matrix, of which each round takes a column: how many rows there are is no question of a round, so
⍝ that nothing is checked there, and all rounds are made for some rows before the next ones.
⍝ == input z double 3 4: 1 2 3 4 0 1 0 1 ¯1 0 1 0
⍝ == output 11.28 3.86 1.23
⍝ == structure {checks 4, allocs 3}
∇ s←paths z;x;t
x←(1↑⍴z)⍴0.5
s←x×0
:For t :In ⍳¯1↑⍴z
    x+←(0.1×0.5-x)+0.5×z[;t]
    s+←x
:EndFor
∇
⎕←(⌊0.5+100×paths z)÷100
