⍝ What is only folded over the cells of a loop is combined in the loop: the results of all cells are never in memory. The cells
⍝ have branches of their own and run one after the other. Without cells a sum is 0.
⍝ == input n int: 5
⍝ == input none int: 0
⍝ == output 10.875 12.625 14.375
⍝ == output 3.75 4.6875 5.625
⍝ == output 0 0 0
⍝ == structure {allocs 0}
f ← {
    u ← (⍵+⍳3)÷4
    s ← +/u
    s>4: ⌽u
    u×s
}
⎕←+⌿↑f¨⍳n
⎕←⌈⌿↑f¨⍳n
⎕←+⌿↑f¨⍳none
