⍝ Easter by the anonymous Gregorian algorithm, on vectors of years; rows are month and day, as the calendar has them.
⍝ == input first int: 2024
⍝ == output 3 31
⍝ == output 4 20
⍝ == output 4  5
⍝ == output 3 28
⍝ == output 4 16
⍝ == output 4  2
⍝ == output 4 23
⍝ == output 3 22
⍝ == output 4 25
⍝ == output 4 21
easter←{
    a←19|⍵
    b←⌊⍵÷100
    c←100|⍵
    d←⌊b÷4
    e←4|b
    f←⌊(b+8)÷25
    g←⌊(b+1-f)÷3
    h←30|(19×a)+b+15-d+g
    i←⌊c÷4
    k←4|c
    l←7|32+(2×e)+(2×i)-h+k
    m←⌊(a+(11×h)+22×l)÷451
    p←(h+l+114)-7×m
    (⌊p÷31),[1.5]1+31|p
}
⎕←easter first+¯1+⍳5
⎕←easter 1961 2000 1818 1943
⎕←easter ,2019
