⍝ The index of a book: for each word the lines in which it stands, in the order of the alphabet.
⍝ == output  a  any  is  name  rose 
⍝ == output  1 2  2  1 2  2  1 2 
⍝ == output a: 1 2
⍝ == output any: 2
⍝ == output is: 1 2
⍝ == output name: 2
⍝ == output rose: 1 2
lines←'a rose is a rose' 'a name is any rose'
words←' '(≠⊆⊢)¨lines
all←⊃,/words
where←(≢¨words)/⍳≢words
pages←all{⊂∪⍵}⌸where
order←⍋∪all
⎕←names←(∪all)[order]
⎕←pages[order]
⎕←↑names{⍺,': ',⍕⍵}¨pages[order]
