⍝ Records and tables in annotations: a strand is converted, as it is where a function asks for records.
⍝ == output 58
⍝ == output 31
⍝ == output   b  27   ann  31
⍝ == output 93
⍝: [([char]1, double)]1 → double
sum←{+/2⊃¨⍵}
sum('ann' 31)('bob' 27)
⍝: [([char]1, double)/1]1 → double
most←{⌈/⍵[;2]}
most↑('ann' 31)('bob' 27)
⍝: [([char]1, int)]1 → [([char]1, int)]1
sorted←{⍵[⍋2⊃¨⍵]}
sorted('ann' 31)('b' 27)
⍝: ([char]1, int) → int
letters←{(name count)←⍵ ⋄ count×≢name}
letters'ann' 31
