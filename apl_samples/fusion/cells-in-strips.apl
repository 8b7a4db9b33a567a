⍝ Cells with short loops run side by side, sixteen at a time, with an axis of lanes in all their arrays; a rest takes the plain
⍝ loop. The array that a cell changes in place lies on the stack; the results are summed in lanes and need no memory.
⍝ == input n int: 37
⍝ == output 20 31 37.5
⍝ == structure {allocs 0, modulo 0, branches 0}
sums ← {
    x ← (⍵+⍳3)÷n
    step ← {
        (k w) ← ⍵
        w[k+1] ← (0.5×w[k])+x[k]
        (k+1)w
    }
    w ← 4⍴0.0
    ¯3↑2⊃(step⍣3)1 w
}
⎕←+⌿↑sums¨⍳n
