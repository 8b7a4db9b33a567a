⍝ Fields of texts that are numbers, between blanks of all kinds or between separators, and how they are rounded: 9007199254740993
⍝ is half-way between two doubles, and goes to the even one, unless a digit far behind says more.
⍝ == input t char 26: '1,2.5,¯3;4, ,x;1e2,.5,0;¯7'
⍝ == output 1 1 1 1 1 1 0 1 1 1 1
⍝ == output 98
⍝ == output 1 0 1 0 0 1 0 1
⍝ == output 1 0 5000 0 0 0.25 0 ¯70
⍝ == output 0 2
⍝ == output  1 1  2 45 
valid numbers←' ;,'⎕VFI t
⎕←valid
⎕←+/valid/numbers
valid numbers←⎕VFI(⎕UCS 12288),' 1. 1.2.3 +5E3 1e ¯ .25 0x1',(⎕UCS 9 133),'¯7e+1'
⎕←valid
⎕←numbers
a b c←2⊃','⎕VFI '9007199254740992,9007199254740993,9007199254740993.',(900⍴'0'),'1'
⎕←(b-a)(c-a)
⎕←'1'⎕VFI'2145'
