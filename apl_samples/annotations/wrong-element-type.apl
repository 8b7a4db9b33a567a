⍝ A mean is never int.
⍝ == error 4:8 TYPE ERROR: the annotation claims int, this is double
⍝: <int>ρ → int
mean ← +/÷≢
