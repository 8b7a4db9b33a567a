⍝ Prices of trades weighted by their volumes, six trades at a time. How many rows there are is a result of the program, so the
⍝ products might be too few or too many; each is computed where its row is summed all the same.
⍝ == input volume double 12: 1 2 3 4 5 6 1 1 1 1 1 1
⍝ == input price double 12: 7 7 7 7 7 7 1 2 3 4 5 6
⍝ == output 7 3.5
⍝ == structure {allocs 1}
shape ← ((≢price)÷6),6
(+/shape⍴volume×price)÷+/shape⍴volume
