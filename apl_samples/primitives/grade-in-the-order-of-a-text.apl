⍝ Characters sorted in the order of a text; those that it does not have come last, in the order in which they stand.
⍝ == output aAbBcCz 
⍝ == output z CcBbAa
⍝ == output ann
⍝ == output Ada
⍝ == output Bob
⍝ == output Bob
⍝ == output Ada
⍝ == output ann
⍝ == output
order←'aAbBcC'
text←'CabBAz c'
⎕←text[order⍋text]
⎕←text[order⍒text]
names←3 3⍴'BobannAda'
⎕←names[order⍋names;]
⎕←names[order⍒names;]
⎕←order⍋''
