⍝ The temperature of a chip after the Rodinia benchmark: power heats, neighbours and the ambient cool. At the border the
⍝ neighbour is the cell itself. Steps of 4 by 4 cells, against the same formula with loops in Python.
⍝ == input temp double 4 4: 323 324 325 326 327 328 329 330 331 332 333 334 335 336 337 338
⍝ == input power double 4 4: 0.01 0.02 0 0 0.05 0.3 0.1 0 0 0.1 0.02 0.01 0 0 0 0.04
⍝ == input n int: 3
⍝ == output 323.1835 324.088 325.0775 325.977
⍝ == output 327.0015 328.026 328.9255 329.775
⍝ == output 330.9745 331.924 332.8835 333.778
⍝ == output 334.7725 335.672 336.6715 337.591
⍝ == output 323.4981409 324.2744626 325.1873104 325.930497
⍝ == output 327.0299751 328.0398405 328.7774612 329.3962521
⍝ == output 330.8847745 331.7520955 332.6097997 333.3379069
⍝ == output 334.3195536 335.0785593 336.0253901 336.8234985
⍝ == output 5288
ambient←80
north←{(1↑⍵)⍪¯1↓⍵}
south←{(1↓⍵)⍪¯1↑⍵}
west←{⍵[;1],0 ¯1↓⍵}
east←{(0 1↓⍵),⍵[;2⊃⍴⍵]}
step←{
    vertical←0.1×(north ⍵)+(south ⍵)-2×⍵
    horizontal←0.2×(west ⍵)+(east ⍵)-2×⍵
    ⍵+0.5×power+vertical+horizontal+0.001×ambient-⍵
}
⎕←step temp
⎕←(step⍣n)temp
⎕←+/,(step⍣0)temp
