⍝ The annotations of section 3.3 of the thesis: the length of a difference, of a signal, and the ranks of an
⍝ inner product for any two functions. All three are proved; without that the program would not compile.
⍝ == output 1 1 2
⍝ == output ¯50 ¯25 16.61129568 25
⍝ == output  5 11 17
⍝ == output 11 25 39
⍝ == output 17 39 61
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
A ← 3 2⍴⍳6
A +dot× ⍉A
