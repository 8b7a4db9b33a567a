⍝ Binary search as a recursion over bounds, and as a loop; the answers are those of ⍳.
⍝ == input v int 12: 2 3 5 7 11 13 17 19 23 29 31 37
⍝ == output 1 2 3 4 5 6 7 8 9 10 11 12
⍝ == output 1 3 12 12
⍝ == output 4 11 12
⍝ == output 0 1 2 12
find←{
    (lo hi)←⍺
    lo≥hi: lo
    mid←⌊(lo+hi)÷2
    ⍵>v[mid]: (mid+1)hi ∇ ⍵
    lo mid ∇ ⍵
}
⎕←{1(≢v)find ⍵}¨v
⎕←{1(≢v)find ⍵}¨1 4 36 37
loop←{
    x←⍵
    half←{(lo hi)←⍵ ⋄ mid←⌊(lo+hi)÷2 ⋄ x>v[mid]:(mid+1)hi ⋄ lo mid}
    ⊃half⍣{=/⍺}1(≢v)
}
⎕←loop¨7 30 37
⎕←v⍸1 2 4 40
