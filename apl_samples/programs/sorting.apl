⍝ Sorting by grade: numbers, text, rows by a column, by a second key, the rank of each, the median, the k largest.
⍝ == input v double 7: 3 1 4 1 5 9 2
⍝ == input m int 4 2: 3 10 1 40 2 30 1 20
⍝ == output 1 1 2 3 4 5 9
⍝ == output 9 5 4 3 2 1 1
⍝ == output ehllo
⍝ == output 1 40
⍝ == output 1 20
⍝ == output 2 30
⍝ == output 3 10
⍝ == output 1 20
⍝ == output 1 40
⍝ == output 2 30
⍝ == output 3 10
⍝ == output 4 1 5 2 6 7 3
⍝ == output 3
⍝ == output 2.5
⍝ == output 9 5 4
⍝ == output 0
⍝ == output 1 0
⍝ == output 1
⍝ == output 1
⍝ == output berne
⍝ == output delhi
⍝ == output matin
⍝ == output rome
sort←{⍵[⍋⍵]}
⎕←sort v
⎕←v[⍒v]
⎕←sort 'hello'
⎕←m[⍋m[;1];]
⎕←m[⍋m;]
⎕←⍋⍋v
median←{s←sort ⍵ ⋄ n←≢⍵ ⋄ 2÷⍨s[⌈n÷2]+s[1+⌊n÷2]}
⎕←median v
⎕←median 4 1 3 2
⎕←3↑v[⍒v]
⎕←(sort v)≡v
sorted←∧/2≤/⊢
⎕←(sorted sort v),sorted v
⎕←(⍳7)≡(⍋v)[⍋⍋v]
⎕←(⍳7)≡sort ⍋v
words←4 5⍴'delhibernematinrome '
⎕←words[⍋words;]
