⍝ ⍳ and ∊ among the items of a strand that differ in rank or kind, and ∊ ~ ∩ ⍳ of words with such a strand: a
⍝ character alone is no word of one letter.
⍝ == output 1 4 5
⍝ == output 4 5 5
⍝ == output 1
⍝ == output 0 1 0 1
⍝ == output 2 3 4
⍝ == output 3 2 4
⍝ == output  cat  saw  a  dog  ox
⍝ == output  cat  saw  dog  ox
⍝ == output 5 9
⍝ == output 1 0
⍝ == output 1 0
⍝ == output 1 5
⍝ == output 1 5
w←'ab' 'c' 'def' 'x'
w⍳'ab' 'x' 'zz'
w⍳'xab'
(⊂'ab')∊w
w∊'cx'
1 (2 3) 4⍳(2 3)4 9
(1 'ab' (1 2))⍳(1 2)'ab' 'q'
words←' '(≠⊆⊢)'the cat saw a dog and the ox'
words~'a' 'the' 'and'
words~(,'a')'the' 'and'
words⍳'dog' 'a'
m←2 2⍴'ab' 'de' 'ab' 'zz'
m∊w
w⍳m
