⍝ Easter Sunday after Knuth, as month and day: 331 is 31 March, 420 is 20 April.
⍝ The dates of 2001 to 2025 are those of the calendar; 22 March and 25 April are the extremes.
⍝ == input years int 4: 1818 1943 2038 2285
⍝ == output 415 331 420 411 327 416 408 323 412 404 424 408 331 420 405 327 416 401 421 412 404 417 409 331 420
⍝ == output 1
⍝ == output 322 425 425 322
⍝ == output 556006
⍝ == output 336
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
⎕←easter 2000+⍳25
⎕←423=easter 2000
⎕←easter years
⎕←+/easter 1582+⍳1418                       ⍝ 1583 to 3000
⎕←+/400>easter 1582+⍳1418                   ⍝ how often in March
