⍝ A branch that hands its array on does not copy it, and the first state of the loop is the array that was made before: allocated
⍝ are the sieve and the result.
⍝ == input n int: 30
⍝ == output 2 3 5 7 11 13 17 19 23 29
⍝ == structure {allocs 2}
step ← {
    (k s) ← ⍵
    ~s[k]: (k+1)s
    s[k×k+¯1+⍳0⌈1-k-⌊n÷k] ← 0
    (k+1)s
}
s ← n⍴1=1
s[1] ← 0
⎕←⍸2⊃(step⍣(0⌈¯1+⌊n*0.5))2 s
