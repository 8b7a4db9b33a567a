⍝ The lengths of the words of a text, the longest one, initials, and the words as rows of a table.
⍝ == input t char 22: 'now is the time for it'
⍝ == output 3 2 3 4 3 2
⍝ == output 4
⍝ == output nittfi
⍝ == output 6
⍝ == output 2.833333333
⍝ == output time
⍝ == output now
⍝ == output is
⍝ == output the
⍝ == output time
⍝ == output for
⍝ == output it
gaps←{⍸' '=' ',⍵,' '}
lengths←{¯1+2-⍨/gaps ⍵}
⎕←lengths t
⎕←⌈/lengths t
initials←{(' '=¯1↓' ',⍵)/⍵}
⎕←initials t
words←{1++/' '=⍵}
⎕←words t
⎕←(+/÷≢)lengths t
longest←{l←lengths ⍵ ⋄ g←gaps ⍵ ⋄ k←l⍳⌈/l ⋄ l[k]↑(g[k]-1)↓⍵}
⎕←longest t
table←{
    n←lengths ⍵
    w←⌈/n
    m←(n∘.≥⍳w)
    ((⍴m)⍴(,m)\(⍵≠' ')/⍵)
}
⎕←table t
