⍝ The few elements of an array that rounds move about are scalars, and what residues are once, they stay: nine ages of fish,
⍝ that are born seven days apart; powers of a matrix; truth values of a ring; numbers that are no residues at first.
⍝ == input ages int 5: 3 4 3 1 2
⍝ == output 5 26 5934
⍝ == output 634911 728257 964842 977805 296174 54594 977958 68102 205571
⍝ == output 15841 9791
⍝ == output 0 1 1 1 1 0 0 0
⍝ == output 5 5 5 6 4 3
⍝ == output 1 1 3 3
day ← {1000007|(1⌽⍵)+(⊃⍵)×7=⍳9}
start ← +/(¯1+⍳9)∘.=ages
⎕←{+/(day⍣⍵)start}¨0 18 80
⎕←(day⍣300)start
⎕←({1000007|(2 2⍴1 1 1 0)+.×⍵}⍣(2×≢ages))89 144
⎕←({(1⌽⍵)≠¯1⌽⍵}⍣1)1 0 0 1 1 0 1 0
⎕←({7|⍵+1⌽⍵}⍣(≢ages))¯3 100 5 2 1 0
⎕←({11|⍵×1⌽⍵}⍣(≢ages))4↑ages
