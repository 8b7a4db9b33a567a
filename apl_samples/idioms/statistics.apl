⍝ Averages and the like as short expressions.
⍝ == input v double 8: 2 4 4 4 5 5 7 9
⍝ == input e double 0:
⍝ == output 5
⍝ == output 5
⍝ == output 7
⍝ == output 7
⍝ == output ¯3 ¯1 ¯1 ¯1 0 0 2 4
⍝ == output 4
⍝ == output 5
⍝ == output 0
⍝ == output 4.603215596
⍝ == output 2 3 3.333333333 3.5 3.8 4 4.428571429 5
⍝ == output 0.05 0.1 0.1 0.1 0.125 0.125 0.175 0.225
⍝ == output 2
⍝ == output 0.25
⍝ == output 1
⍝ == output 232
⍝ == output 15.23154621
⍝ == output 0 0.2857142857 0.2857142857 0.2857142857 0.4285714286 0.4285714286 0.7142857143 1
⎕←(+/÷≢)v
⎕←(+/v)÷≢v
⎕←(⌈/-⌊/)v
⎕←(⌈/v)-⌊/v
⎕←v-(+/v)÷≢v
⎕←((+/v*2)÷≢v)-((+/v)÷≢v)*2
⎕←(+/v)÷1⌈≢v
⎕←(+/e)÷1⌈≢e
⎕←(×/v)*÷≢v
⎕←(+\v)÷⍳≢v
⎕←v÷+/v
⎕←+/v>5
⎕←(+/v>5)÷≢v
⎕←∨/v=7
⎕←v+.×v
⎕←0.5*⍨+/v*2
⎕←(v-⌊/v)÷(⌈/v)-⌊/v
