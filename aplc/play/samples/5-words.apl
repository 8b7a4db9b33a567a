⍝ Words of a text
text  ← 'the sun the moon the stars and the sea and the sun'
words ← (' '≠text)⊆text
table ← {⍺(≢⍵)}⌸words
table[⍒table[;2];]
(⊂'the')≡¨words
