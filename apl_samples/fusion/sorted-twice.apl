⍝ One fold reads the grade of what another grade puts in order: one of them is sorted itself, the other is made.
⍝ == input n int: 5
⍝ == output 55
⍝ == output 0 1 2 2 3
⎕←+/(⍳n)×{⍵[⍋⍵]}{⍵[⍒⍵]}⍳n
⎕←0,+⌿2 2 2⊤{⍵[⍋⍵]}{⍵[⍒⍵]}3+⍳n-1
