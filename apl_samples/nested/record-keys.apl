⍝ Records as keys, in outer products, and by arrays of indices for ⌷. Fields of a record are chosen by what is known
⍝ while compiling, in whatever way it is written.
⍝ == input who char 3: 'bob'
⍝ == output 2 1 1
⍝ == output  1 4  2  3
⍝ == output 5 2 3
⍝ == output  ann  2
⍝ == output  bob  1
⍝ == output  bob  2
⍝ == output 1 0 0 1
⍝ == output 0 1 0 0
⍝ == output   bob  1   ann  2
⍝ == output  2  ann   1  bob   2  bob   2  ann
⍝ == output 2.5 1  bob
⍝ == output 1
⍝ == output 1
games←('ann' 2)(who 1)('bob' 2)('ann' 2)
{≢⍵}⌸games
{⊂⍵}⌸games
games{+/⍵}⌸1 2 3 4
↑{⍺}⌸games
⊣⌿games∘.≡games
((⊂who 1)≡¨games)
(⊂2 1)⌷games
{f←⍵ ⋄ f[⌽⍳≢f]}¨games
{⍵[⌽⍳≢⍵]}who 1 2.5
('games' games)≡'games'(⌽⌽games)
('words' (2↓'abc' 'd' 'ef' 'gh'))≡'words'('ef' 'gh')
