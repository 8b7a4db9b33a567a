⍝ Easter Sunday after Knuth, as month and day. Measured are total, the sum of the dates of the years 1 to ⍵, and rounds, the
⍝ same done ⍺ times, each time one year later, so that no round is like another. 20 April 2025, 5 April 2026 and 28 March
⍝ 2027 are the calendar's; the sums are those of the anonymous Gregorian algorithm in Python.
⍝ == output 420 405 328
⍝ == output 6237
⍝ == output 12475
⍝ == output 12475
⍝ == structure {loops 2, allocs 0, branches 0}
easter ← {
    golden  ← 1+19|⍵                        ⍝ the place in the cycle of 19 years
    century ← 1+⌊⍵÷100
    omitted ← ¯12+⌊century×3÷4              ⍝ leap years left out
    moon    ← ¯5+⌊(5+8×century)÷25          ⍝ correction of the moon's orbit
    sunday  ← (⌊5×⍵÷4)-omitted+10
    epact   ← 30|(11×golden)+20+moon-omitted
    epact   ← epact+(epact=24)∨(epact=25)∧golden>11
    full    ← 44-epact                      ⍝ full moon, as a day of March
    full    ← full+30×full<21
    day     ← full+7-7|sunday+full
    (100×3+day>31)+day-31×day>31
}
total  ← {+/easter ⍳⍵}
rounds ← {
    years ← ⍳⍵
    again ← {(k sum)←⍵ ⋄ (k+1)(sum++/easter k+years)}
    2⊃(again⍣⍺)0 0
}
⎕←easter 2025 2026 2027
⎕←total 16
⎕←2 rounds 16
⎕←(total 16)++/easter 1+⍳16
