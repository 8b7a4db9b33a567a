⍝ Two definitions that call each other by name; a definition that calls itself by its name.
⍝ == input n int: 9
⍝ == output 0
⍝ == output 1
⍝ == output 1 0 1
⍝ == output 362880
⍝ == output 1 1 2 2 3 3 4 5 5
⍝ == output 6
even←{⍵=0:1 ⋄ odd ⍵-1}
odd←{⍵=0:0 ⋄ even ⍵-1}
⎕←even n
⎕←odd n
⎕←even¨0 1 2
fact←{⍵=0:1 ⋄ ⍵×fact ⍵-1}
⎕←fact n
female←{⍵=0:1 ⋄ ⍵-male female ⍵-1}
male←{⍵=0:0 ⋄ ⍵-female male ⍵-1}
⎕←female¨0 1 2 3 4 5 6 7 8
⎕←male n
