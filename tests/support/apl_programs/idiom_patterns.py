"""Idioms of several kinds of elements, keys, and vectors of vectors; how they are written is in
`apl_programs/idioms.py`.

Here `E` in the name of a kind stands for each of `B I D`, `R` for `I D`, and `s` for each of the shapes
`v k m q t`, `a` for each of all: the same letter is the same kind in all of an idiom.
"""

PATTERNS: dict[str, str] = {
    "Es": """
        (⌽$Es)
        (⊖$Es)
        ($I⌽$Es)
        ($n⊖$Es)
    """,
    "Bs": r"""
        ($Bs$fb$Bs)
        ($Bs$fb$B)
        (~$Bs)
        (≠\$Bs)
        (∧\$Bs)
        (∨\$Bs)
        (<\$Bs)
        (≠⍀$Bs)
        (∧⍀$Bs)
        (∨⍀$Bs)
        (=⍀$Bs)
        ($Is$fc$Is)
        ($Is$fc$I)
        ($Ds$fc$Ds)
        ($Ds$fc$D)
        ($Is∊$Iu)
        ($Ds∊$Du)
        (0=3|$Is)
        (1=2|$Is)
    """,
    "Rs": r"""
        ($Rs$fn$Rs)
        ($Rs$fn$R)
        ($Rs×$Bs)
        (-$Rs)
        (|$Rs)
        (×$Rs)
        (+\$Rs)
        (⌈\$Rs)
        (⌊\$Rs)
        (+⍀$Rs)
        (⌈⍀$Rs)
        (⌊⍀$Rs)
        (($Bs×$Rs)+(~$Bs)×$Rs)
    """,
    "Is": """
        ($Is|$Is)
    """,
    "Ia": """
        ⌊$Da
        ⌈$Da
        $Ba
        ×$Da
        ($p|$Ia)
        (⌊$Ia÷$p)
        (⌊0.5+$Da)
        ($I|$Ia)
        (⌊$Ia÷$I)
    """,
    "Da": """
        $Ia
        ($Da÷$p)
        ($Da÷$D)
        ($Da*2)
        ($Da*$n)
        ((|$Da)*0.5)
        (*-|$Da)
        (1○$Da)
        (⍟1+|$Da)
        ($D÷1+|$Da)
        ($D*$Ia)
        ($p|$Da)
        ($D|$Da)
        ((1+|$Da)*-$n)
    """,
    "E": """
        (⊃$Eu)
        (⊃⌽$Eu)
        (⊃$Ev)
    """,
    "Ev": """
        ($Ev[⍋$Ev])
        ($Ev[⍒$Ev])
        ({v←⍵ ⋄ v[⍋v]}$Ev)
        ({v←⍵ ⋄ v[⍒v]}$Ev)
        ($Ev[⍋⍋$Dv])
        ({v←$Ev ⋄ v[⍸⍵]←$E ⋄ v}$Bv)
        ({v←⍵ ⋄ v[$places]←v[$places] ⋄ v}$Ev)
    """,
    "Ek": """
        ($Ek[⍋$Ek])
        ($Ek[⍒$Ek])
    """,
    "Eu": """
        $Ev
        $Ek
        ($Eu[⍋$Eu])
        ($Eu[⍒$Eu])
        ($Bv/$Ev)
        ($Bk/$Ek)
        ($n/$Eu)
        (($Iv⌊3)/$Ev)
        ($Ev[⍸$Bv])
        ($n↑$Eu)
        ($n↓$Eu)
        (¯1↓$Eu)
        (1↓$Eu)
        (⌽$Eu)
        ($Eu,$Eu)
        ($Eu,$E)
        ($E,$Eu)
        (,$Em)
        (∪$Eu)
        (∪$Ev)
        ($Eu~$Eu)
        ($Eu∪$Eu)
        ($Eu∩$Eu)
        ($n↑$Ev[⍒$Dv])
        ($n↑{v←⍵ ⋄ v[⍒v]}$Ev)
        (⊃,/$GE)
        (∊$GE)
    """,
    "Em": """
        (⍉$Et)
        ($Ev∘.×$Ek)
        (($N,$K)⍴$Eu,0)
        ($Em[⍋$Dv;])
        ($Em[;⍋$Dk])
        ($Em[⍋$Em;])
    """,
    "Bm": """
        ($Em≤⍤1⊢$Ek)
        ($Ev≠⍤0 1⊢$Em)
    """,
    "Rm": """
        ($Rv∘.+$Rk)
        ($Rm-⍤1⊢$Rk)
        ($Rv+⍤0 1⊢$Rm)
    """,
    "Et": """
        (⍉$Em)
    """,
    "Eq": """
        (⍉$Eq)
        ($Ek∘.×$Ek)
    """,
    "GE": """
        ($Bv⊂$Ev)
        ($Bv⊆$Ev)
        (↓$Em)
        (↓⍉$Em)
        ($keys{⊂⍵}⌸$Ev)
        ((≠$Ev)⊂$Ev)
        ({h←⍵ ⋄ (h>2)/h}¨$GE)
        (⌽¨$GE)
        (1↓¨$GE)
        (∪¨$GE)
        ({⍵[⍋⍵]}¨$GE)
        ({($n⌊≢⍵)↑⍵}¨$GE)
        ($Iv↑¨⊂$Eu)
    """,
    "keys": """
        $Iv
        $Bv
        $Dv
        $Cv
        $Im
        $Cm
        (5|$Iv)
        ($Iv⌊2)
        (⌊$Dv÷2)
    """,
    "fb": """
        ∧
        ∨
        ≠
        =
        <
        ≤
        >
        ≥
        ⍲
        ⍱
    """,
    "fc": """
        <
        ≤
        =
        ≥
        >
        ≠
    """,
    "fn": """
        +
        -
        ×
        ⌈
        ⌊
    """,
}
