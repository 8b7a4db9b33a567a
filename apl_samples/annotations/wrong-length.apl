⍝ The rotation keeps the length and the drop takes one away: the claim forgets the drop.
⍝ == error 4:5 TYPE ERROR: the annotation claims <int>(ρ+1), this is <int>ρ
diff ← { ⍝: <κ>(ρ+1) → <κ>(ρ+1)
    1↓⍵-¯1⌽⍵
}
diff 1 2 3
