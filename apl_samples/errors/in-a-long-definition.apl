⍝ == input v double 2: 3 ¯1
⍝ == error 5:9 DOMAIN ERROR: ⍟ needs a number above zero, or a complex one
entropy ← {
    ⍝ a comment that counts as a line
    a ← ⍟⍵
    -+/⍵×a
}
⎕←entropy v
