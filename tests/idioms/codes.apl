⍝ Programs over codes, lines, numbers, boards and tables. codes.c has each by hand, and codes_rows.py what they are
⍝ called with.

⍝ Codes.
utf8←{64⊥¨((⍵<128)∨⍵≥192)⊂⍵-0 128 192 224 240[1+128 192 224 240⍸⍵]}
isbns←{+/0=11|(¯1+'0123456789X'⍳⍵)+.×⌽⍳10}
ibans←{+/1={{97|⍺+⍵×10*1+⍺>9}/⌽¯1+(⎕D,⎕A)⍳4⌽⍵}⍤1⊢⍵}
base64Decoded←{a←⎕A,(⎕C ⎕A),⎕D,'+/' ⋄ ,⍉256 256 256⊤64⊥⍉(((≢⍵)÷4),4)⍴¯1+a⍳⍵}
expanded←{d←⍵∊⎕D ⋄ ({10⊥¯1+⎕D⍳⍵}¨d⊆⍵)/⍵/⍨~d}
romans←{h←'' 'C' 'CC' 'CCC' 'CD' 'D' 'DC' 'DCC' 'DCCC' 'CM' ⋄ t←'' 'X' 'XX' 'XXX' 'XL' 'L' 'LX' 'LXX' 'LXXX' 'XC' ⋄ u←'' 'I' 'II' 'III' 'IV' 'V' 'VI' 'VII' 'VIII' 'IX' ⋄ ∊h[1+⌊⍵÷100],¨t[1+10|⌊⍵÷10],¨u[1+10|⍵],¨' '}
morton←{2⊥(32,≢⍵)⍴((16⍴2)⊤⍺),[1.5](16⍴2)⊤⍵}

⍝ Texts.
partners←{o←'('=⍵ ⋄ i←⍋(+\o)-+\0,¯1↓~o ⋄ r←i ⋄ r[i]←,⌽(((≢i)÷2),2)⍴i ⋄ r}
∇ p←borders s;k;i
p←(≢s)⍴0
k←0
:For i :In 1↓⍳≢s
    :While (k>0)∧s[k+1]≠s[i]
        k←p[k]
    :EndWhile
    k+←s[k+1]=s[i]
    p[i]←k
:EndFor
∇
prefixes←{+/∧\(1↓⍵)=¯1↓⍵}
marker←{13+1⍳⍨{14=≢∪⍵}⍤1⊢⍵[(¯1+⍳(≢⍵)-13)∘.+⍳14]}
rucksacks←{a←(⎕C ⎕A),⎕A ⋄ +/{h←(≢⍵)÷2 ⋄ a⍳⊃(h↑⍵)∩h↓⍵}¨(⍵≠⎕UCS 10)⊆⍵}
calibration←{+/{10⊥(⊃,⊃∘⌽)¯1+⎕D⍳⍵∩⎕D}¨(⍵≠⎕UCS 10)⊆⍵}
pangrams←{a←⎕C ⎕A ⋄ +/{∧/a∊⍵}¨(⍵≠⎕UCS 10)⊆⍵}
squeezed←{b←' '=⍵ ⋄ (~b∧1,¯1↓b)/⍵}

⍝ Numbers.
∇ d←divisorSums n;i
d←n⍴0
:For i :In ⍳⌊n÷2
    d[i×1↓⍳⌊n÷i]+←i
:EndFor
∇
palindrome←{p←,(⌊⍵÷10)↓⍤1⊢(⌊⍵÷10)↓(⍳⍵)∘.×⍳⍵ ⋄ ⌈/p/⍨∧⌿d=⊖d←(6⍴10)⊤p}
kaprekar←{({d←{⍵[⍒⍵]}⍤1⍉10 10 10 10⊤⍵ ⋄ (10⊥⍉d)-10⊥⍉⌽d}⍣7)⍵}
triples←{s←×⍨⍳⍵ ⋄ ⌊0.5×+/,(s∘.+s)∊s}
∇ r←triangle t;k
r←t[≢t;]
:For k :In ⌽⍳¯1+≢t
    r←t[k;⍳k]+(¯1↓r)⌈1↓r
:EndFor
r←⊃r
∇

⍝ Boards.
sudokus←{+/{b←9 9⍴1 3 2 4⍉3 3 3 3⍴⍵ ⋄ ∧/{(⍳9)≡⍵[⍋⍵]}⍤1⊢⍵⍪(⍉⍵)⍪b}⍤2⊢⍵}
sudokuUnits←{+/{b←9 9⍴1 3 2 4⍉3 3 3 3⍴⍵ ⋄ ∧/{∧/(⍳9)∊⍵}⍤1⊢⍵⍪(⍉⍵)⍪b}⍤2⊢⍵}
brain←{({s←⍵=1 ⋄ a←s+(1⌽s)+¯1⌽s ⋄ (2×s)+(⍵=0)∧2=a+(1⊖a)+¯1⊖a}⍣⍺)⍵}

⍝ Tables and keys.
regionTotals←{r←⍺[⍺[;1]⍳⍵[;1];2] ⋄ t←10⍴0 ⋄ t[r]+←⍵[;2] ⋄ t}
latest←{(⌽≠⌽⍵[;1])⌿⍵}
occurrence←{g←⍋⍵ ⋄ s←⍵[g] ⋄ i←⍳≢s ⋄ r←i ⋄ r[g]←1+i-⌈\i×1,2≠/s ⋄ r}
calories←{s←+/¨(⍵≠0)⊆⍵ ⋄ +/3↑s[⍒s]}
digrams←{a←¯1+⎕A⍳⍵ ⋄ h←676⍴0 ⋄ h[1+(26×¯1↓a)+1↓a]+←1 ⋄ 26 26⍴h}
diagnostic←{m←(+⌿⍵)>0.5×≢⍵ ⋄ (2⊥m)×2⊥~m}
