⍝ In how many ways an amount is paid with coins: with each coin more, running sums down the columns of the ways so far, as
⍝ many columns as the coin is worth. The matrix has the order of the vector of which it is made, so that no array is turned.
⍝ == input coins int 5: 1 2 5 10 20
⍝ == input v int 600: arange
⍝ == output 1 1 2 2 3 4 5 6 7 8 11
⍝ == output 41
⍝ == output 2094
⍝ == structure {allocs 3}
more←{n←≢⍵ ⋄ n↑,+⍀((⌈n÷⍺),⍺)⍴(⍺×⌈n÷⍺)↑⍵}
ways←⊃more/(⌽coins),⊂21↑1
⎕←11↑ways
⎕←¯1↑ways
⎕←¯1↑,+⍀(6,(≢v)÷6)⍴v
