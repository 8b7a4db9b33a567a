⍝ Conway's Life
⎕RL ← 7
life ← {
    row ← ⍵+(1⌽⍵)+¯1⌽⍵
    sum ← row+(1⊖row)+¯1⊖row
    (sum=3)∨(sum=4)∧⍵=1
}
life⍣100⊢1=?60 90⍴3
