⍝ Programs over lines, dates and records. records.c has each by hand, and records_rows.py what they are called with.

⍝ Lines.
levels←{w←5↑¨20↓¨(⍵≠⎕UCS 10)⊆⍵ ⋄ {+/w≡¨⊂⍵}¨'ERROR' 'WARN ' 'INFO '}
trimmed←{+/{≢(∨\' '≠⍵)/⍵}¨(⍵≠⎕UCS 10)⊆⍵}
addresses←{256⊥⍉((⌊n÷4),4)⍴{10⊥¯1+⎕D⍳⍵}¨f⊣n←≢f←(⍵∊⎕D)⊆⍵}
snake←{u←⍵∊⎕A ⋄ t←(1+u)/⍵ ⋄ t[i←+\1+u]←⎕C ⍵ ⋄ t[¯1+u/i]←'_' ⋄ t}

⍝ Dates.
isoDays←{d←¯1+⎕D⍳⍵ ⋄ y←10⊥⍉d[;1 2 3 4] ⋄ m←10⊥⍉d[;6 7] ⋄ n←10⊥⍉d[;9 10] ⋄ a←m<3 ⋄ z←y-a ⋄ n+(⌊(¯457+153×m+12×a)÷5)+(365×z)+(⌊z÷4)+(⌊z÷400)-⌊z÷100}
monthTotals←{m←(12×⌊⍺÷10000)+100|⌊⍺÷100 ⋄ t←(1+(⌈/m)-⌊/m)⍴0.0 ⋄ t[1+m-⌊/m]+←⍵ ⋄ t}

⍝ Records.
lastOf←{i←⍋⍵[;2] ⋄ ⍵[i;1]{⊃⌽⍵}⌸⍵[i;3]}
