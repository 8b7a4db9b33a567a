⍝ The calendar: leap years, lengths of months, days between dates, the day of the week, the 13ths that are Fridays.
⍝ Checked with Python's datetime; 1 is Sunday.
⍝ == input y int: 2024
⍝ == output 0 1 0 1
⍝ == output 25
⍝ == output 31 29 31 30 31 30 31 31 30 31 30 31
⍝ == output 365 366
⍝ == output 2451545
⍝ == output 29
⍝ == output 20943
⍝ == output 5
⍝ == output 2 5 6 2 4 7 2 5 1 3 6 1
⍝ == output 9 12
leap←{(0=4|⍵)∧(0≠100|⍵)∨0=400|⍵}
⎕←leap 1900 2000 2023 2024
⎕←+/leap 1900+⍳100
months←{31 28 31 30 31 30 31 31 30 31 30 31+(2=⍳12)×leap ⍵}
⎕←months y
⎕←+/↑months¨2023 2024
number←{
    (y m d)←⍵
    a←⌊(14-m)÷12
    z←y+4800-a
    n←m+(12×a)-3
    ¯32045+d+(⌊(2+153×n)÷5)+(365×z)+(⌊z÷4)+(⌊z÷400)-⌊z÷100
}
⎕←number 2000 1 1
⎕←(number 2024 3 1)-number 2024 2 1
⎕←(number 2026 11 21)-number 1969 7 20
weekday←{1+7|1+number ⍵}
⎕←weekday 2024 2 29
⎕←{weekday y ⍵ 1}¨⍳12
fridays←{k←⍵ ⋄ (6={weekday k ⍵ 13}¨⍳12)/⍳12}
⎕←fridays y
