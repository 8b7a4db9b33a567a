⍝ Recursion whose arguments and results are vectors of lengths that only the run knows: sorting by a pivot, by merging,
⍝ the reverse, subsets with a given sum, Gray code.
⍝ == input v int 8: 3 1 4 1 5 9 2 6
⍝ == output 1 1 2 3 4 5 6 9
⍝ == output
⍝ == output 1 2 3 4 6 9
⍝ == output 1 1 2 3 4 5 6 9
⍝ == output 6 2 9 5 1 4 1 3
⍝ == output cba
⍝ == output 3
⍝ == output 0 0
⍝ == output 0 1
⍝ == output 1 1
⍝ == output 1 0
⍝ == output 16 4
⍝ == output ¯2
quick←{1≥≢⍵:⍵ ⋄ p←⊃⍵ ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}
⎕←quick v
⎕←quick ⍬
merge←{0=≢⍺:⍵ ⋄ 0=≢⍵:⍺ ⋄ (⊃⍺)≤⊃⍵:(1↑⍺),(1↓⍺)∇ ⍵ ⋄ (1↑⍵),⍺ ∇ 1↓⍵}
⎕←1 4 6 merge 2 3 9
mergesort←{1≥≢⍵:⍵ ⋄ h←⌊(≢⍵)÷2 ⋄ (∇ h↑⍵)merge ∇ h↓⍵}
⎕←mergesort v
reverse←{1≥≢⍵:⍵ ⋄ (∇ 1↓⍵),1↑⍵}
⎕←reverse v
⎕←reverse 'abc'
sums←{0=≢⍵:⍺=0 ⋄ ((⍺-⊃⍵)∇ 1↓⍵)+⍺ ∇ 1↓⍵}
⎕←10 sums 1 2 3 4 5
gray←{⍵=0:1 0⍴0 ⋄ m←∇ ⍵-1 ⋄ (0,m)⍪1,⊖m}
⎕←gray 2
⎕←⍴gray 4
fold←{1=≢⍵:⊃⍵ ⋄ (⊃⍵)-∇ 1↓⍵}
⎕←fold 1 2 3 4
