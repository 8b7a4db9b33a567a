⍝ Definitions: ⍵ and ⍺, several statements, names of their own, names from outside, definitions inside, no left
⍝ argument where there is one. A function that ignores ⍺ may have one all the same.
⍝ == output 9
⍝ == output ¯2
⍝ == output 7 8
⍝ == output 25
⍝ == output 1
⍝ == output 100
⍝ == output 2
⍝ == output 42
⍝ == output 10
⍝ == output 12
⍝ == output 24
⍝ == output 3 2 1
⍝ == output 6
square←{⍵×⍵}
⎕←square 3
⎕←3{⍺-⍵}5
n←5
⎕←{n+⍵}2 3
⎕←{n←⍵ ⋄ n×n}n
⎕←{1 ⋄ ⎕←99}0     ⍝ the first statement that is not an assignment is the result
n←100
f←{n} ⋄ ⎕←f 0
⎕←1{⍵}2
answer←{
    ⍝ a comment, and an empty line

    six ← ⍵      ⍝ six
    seven←six+1 ⋄ six×seven
}
⎕←answer 6
outer←{k←⍵ ⋄ inner←{k+⍵} ⋄ inner 2×k-1}
⎕←outer 4
twice←{⍺×2} ⋄ ⎕←6 twice 0
⎕←{double←{⍵+⍵} ⋄ double double ⍵}6
rev←⌽ ⋄ ⎕←rev ⍳3
plus←{⍺+⍵} ⋄ ⎕←plus/⍳3
