⍝ The indices of ⍵ in ⍺ are as many as ⍵ has elements; and two lengths with different names may differ.
⍝ == error 5:5 TYPE ERROR: the annotation claims <int>ρ1, this is <int>ρ2
⍝ == error 7:7 LENGTH ERROR: × needs equal lengths, got <double>ρ1 and <double>ρ2
places ← { ⍝: <κ>ρ1 → <κ>ρ2 → <int>ρ1
    ⍺⍳⍵ }
scalar ← { ⍝: <double>ρ1 → <double>ρ2 → double
    +/⍺×⍵ }
