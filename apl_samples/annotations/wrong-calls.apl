⍝ Calls are checked against the annotation, whatever the body would do with the argument.
⍝ == error 11:1 TYPE ERROR: diff takes <κ>(ρ+1), got <int>0
⍝ == error 12:1 TYPE ERROR: diff takes <κ>(ρ+1), got int
⍝ == error 13:1 TYPE ERROR: diff takes <κ>(ρ+1), got [int]1
⍝ == error 14:1 TYPE ERROR: diff is annotated with one argument
⍝ == error 15:1 TYPE ERROR: fold takes [int]0 → [int]0 → [int]0 as ⍺⍺, ÷ gives double
diff ← { ⍝: <κ>(ρ+1) → <κ>ρ
    1↓⍵-¯1⌽⍵ }
fold ← { ⍝: (int→int→int) → [int](ρ+1) → [int]ρ
    ⍺⍺/⍵ }
diff ⍬
diff 3
diff 1 0 1/1 2 3
1 diff 1 2 3
÷fold 1 2 3
