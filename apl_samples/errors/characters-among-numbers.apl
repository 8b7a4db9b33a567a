⍝ An array holds numbers or characters. Where nothing is joined, the two may meet.
⍝ == error 5:3 UNSUPPORTED: characters and numbers
⍝ == error 6:3 UNSUPPORTED: characters and numbers
⍝ == error 7:3 UNSUPPORTED: characters and numbers
a←1 2∪'ab'
a←1 2⍪'ab'
a←(⍉2 2⍴1 2),'ab'
a←1 2∩'ab'
a←1 2~'ab'
a←'ab'⍷1 2
a←'ab'∊1 2
