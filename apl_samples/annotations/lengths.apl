⍝ Lengths in types: sums, differences, and a vector of a length that only the run knows, which has some length.
⍝ == output 1 2 3 4 5
⍝ == output 3 2 1
⍝ == output 0 0 1 2
⍝ == output 4 2
⍝ == output 3 1 2
join ← { ⍝: <κ>m → <κ>n → <κ>(n+m)
    ⍺,⍵ }
back ← { ⍝: <κ>ρ → <κ>ρ
    ⌽⍵ }
shift ← { ⍝: <κ>ρ → <κ>ρ
    (≢⍵)↑0 0,⍵ }
even ← { ⍝: <int>ρ → [int]1
    (0=2|⍵)/⍵ }
⍝: <κ>ρ → <int>ρ
order ← ⍋
1 2 join 3 4 5
back 1 2 3
shift 1 2 3 4
back even 1 2 3 4 5
order 20 30 10
