⍝ The annotations of section 3.3 of the thesis: the length of a difference, of a signal, and the ranks of an
⍝ inner product for any two functions. All three are proved, dot too, which is not called here: its axes are
⍝ constants only when TAIL has been optimised.
⍝ == output 1 1 2
⍝ == output 50 25 50 25
diff ← {      ⍝: <κ>(ρ+1) → <κ>ρ
    1↓⍵-¯1⌽⍵
}
signal ← {    ⍝: <double>ρ → <double>ρ
    ¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵
}
dot ← { ⍝: (κ→κ→κ)→(κ→κ→κ) →[κ] (ρ1+1)
        ⍝   →[κ] (ρ2+1)→[κ] (ρ1+ρ2)
    WA ← (1↓⍴⍵),⍴⍺
    KA ← (⍴⍴⍺)-1
    VA ← ⍳⍴WA
    ZA ← (KA⌽¯1↓VA),¯1↑VA
    TA ← ZA⍉WA⍴⍺      ⍝ Replicate, transpose
    WB ← (¯1↓⍴⍺),⍴⍵
    KB ← ⍴⍴⍺
    VB ← ⍳⍴WB
    ZB0 ← (-KB)↓KB⌽⍳⍴VB
    ZB ← (¯1↓⍳KB),ZB0,KB
    TB ← ZB⍉WB⍴⍵      ⍝ Replicate, transpose
    ⍺⍺/TA ⍵⍵ TB       ⍝ Compute final array
}
diff 1 2 3 5
signal ¯0.5 ¯0.99 0.99 1.99
