⍝ Records are equal where all their fields are, and are sorted by the first field, then by the second, and so on.
⍝ == input who char 3: 'bob'
⍝ == output 2 4
⍝ == output 0 1
⍝ == output   ann  2   bob  1   ann  1
⍝ == output 1 1 0 1
⍝ == output 4 1 2 3
⍝ == output 2 3 1 4
⍝ == output   ann  2   ann  1
⍝ == output   ann  2   bob  1   bob  1   ann  1   cy  1
⍝ == output   bob  1   bob  1
⍝ == output 1 0
games←('ann' 2)('bob' 1)('bob' 1)('ann' 1)
games⍳(who 1)('ann' 1)
(who 3)(who 1)∊games
∪games
≠games
⍋games
⍒games
games~⊂who 1
games∪('cy' 1)('ann' 2)
games∩⊂who 1
(games≡⌽⌽games),games≡⌽games
