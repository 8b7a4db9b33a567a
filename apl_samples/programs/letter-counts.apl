⍝ How often each letter occurs in a text, the most frequent one, vowels and words.
⍝ == input t char 43: 'the quick brown fox jumps over the lazy dog'
⍝ == output 1 1 1 1 3 1 1 2 1 1 1 1 1 1 4 1 1 2 1 2 2 1 1 1 1 1
⍝ == output 1
⍝ == output o
⍝ == output eo
⍝ == output oehrt
⍝ == output 11
⍝ == output 9
⍝ == output thqckbrwnfxjmpsvrthlzydg
⍝ == output 27
⍝ == output THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG
letters←'abcdefghijklmnopqrstuvwxyz'
count←+/letters∘.=t
⎕←count
⎕←∧/count>0
⎕←letters[count⍳⌈/count]
⎕←(count≥3)/letters
⎕←letters[5↑⍒count]
⎕←+/t∊'aeiou'
⎕←1++/t=' '
⎕←(~t∊'aeiou ')/t
⎕←≢∪t
upper←{('ABCDEFGHIJKLMNOPQRSTUVWXYZ',' ')[(letters,' ')⍳⍵]}
⎕←upper t
