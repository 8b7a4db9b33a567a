⍝ The first, the greatest, the least and the last of each three prices: four vectors one behind the other are the columns of a
⍝ matrix. How many threes there are only the run knows; what is left over is in none.
⍝ == input v double 8: 3 5 4 9 1 7 8 8
⍝ == output 3 5 3 4
⍝ == output 9 9 1 7
⍝ == structure {allocs 1, modulo 0}
m←((⌊(≢v)÷3),3)⍴v
⍉(4,≢m)⍴m[;1],(⌈/m),(⌊/m),m[;3]
