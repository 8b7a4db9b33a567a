⍝ A state of a counter and what it counts through: that an index changes by the same number in each round proves that it stays
⍝ inside of the array, so nothing is checked. The running sums of the digits of π, forwards, and every other one backwards.
⍝ == output 3 4 8 9 14 23 25 31
⍝ == output 6 0 15 0 16 0 17 0
⍝ == structure {checks 0}
v ← 3 1 4 1 5 9 2 6
forwards ← {
    (k s w) ← ⍵
    s ← s+v[k]
    w[k] ← s
    (k+1)s w
}
backwards ← {
    (k s w) ← ⍵
    s ← s+v[k]
    w[9-k] ← s
    (k-2)s w
}
⎕←3⊃(forwards⍣8)1 0(8⍴0)
⎕←3⊃(backwards⍣4)8 0(8⍴0)
