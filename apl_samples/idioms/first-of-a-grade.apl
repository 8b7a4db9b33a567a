⍝ The largest few, the place of the least, the second largest: nothing but what is asked for is sorted. 7919 is prime, so that
⍝ the residues modulo 1000 go through all numbers below it ten times; the first 1000 is at place 1000, 321 has 999: 7919×321 is
⍝ 2541999.
⍝ == output 999 999 999
⍝ == output 321
⍝ == output 1000
⍝ == output 999
⍝ == output 321 1321
⍝ == structure {allocs 2}
v←1000|7919×⍳10000
⎕←3↑v[⍒v]
⎕←⊃⍒v
⎕←(⍋v)[1]
⎕←v[2⊃⍒v]
⎕←2↑⍒v
