⍝ Huffman codes: the two lightest groups of letters are joined, and each letter of them is one bit deeper,
⍝ until one group is left. Weights 5 2 1 1 of a b c d: cd (2), bcd (4), all (9): depths 1 2 3 3, 5+4+3+3
⍝ bits.
⍝ == output 1 2 3 3
⍝ == output 15
⍝ == output 1 3 3 3 4 4
weights←5 2 1 1
join←{
    groups sums depth←⍵
    1=≢groups:depth
    order←⍋sums
    two←2↑order
    rest←2↓order
    both←∊groups[two]
    deeper←depth+(⍳≢depth)∊both
    ∇(groups[rest],⊂both)(sums[rest],+/sums[two])deeper
}
depths←{join(,¨⍳≢⍵)⍵(0×⍵)}
⎕←depths weights
⎕←+/weights×depths weights
⎕←depths 45 13 12 16 9 5
