⍝ Each value counts a half of what all before it count together. A step is one operation: the product is not rounded before it is added.
⍝ == input v double 4: 8 4 2 16
⍝ == output 10
⍝ == structure {loops 1, allocs 0}
{(0.5×⍺)+0.5×⍵}/⌽v
