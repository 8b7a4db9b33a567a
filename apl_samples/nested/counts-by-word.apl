⍝ The words of a text with how often each stands there, as tables made in four ways, and sorted by the counts; and
⍝ the letters that stand there more than twice.
⍝ == input text char 31: 'the cat and the dog and the cow'
⍝ == output  the  3
⍝ == output  cat  1
⍝ == output  and  2
⍝ == output  dog  1
⍝ == output  cow  1
⍝ == output  the  3
⍝ == output  and  2
⍝ == output  cat  1
⍝ == output  dog  1
⍝ == output  cow  1
⍝ == output 1 1 1
⍝ == output a 3
⍝ == output c 2
⍝ == output d 3
⍝ == output e 3
⍝ == output h 3
⍝ == output n 2
⍝ == output o 2
⍝ == output t 4
⍝ == output the and
words←' '(≠⊆⊢)text
table←{⍺,≢⍵}⌸words
table
sorted←table[⍒table[;2];]
sorted
(keys counts)←↓⍉table
table∘≡¨(keys,[1.5]counts)(keys,⍪counts)(⍉↑keys counts)
letters←{⍺,≢⍵}⌸text~' '
letters←letters[⍋letters[;1];]
(letters[;2]>1)⌿letters
⊃{⍺,' ',⍵}/2↑sorted[;1]
