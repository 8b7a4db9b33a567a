⍝ ⍺←… with expressions, with ⊢ for a function that can be monadic or dyadic, and in definitions of definitions.
⍝ == input v double 3: 1 10 100
⍝ == output 0 1 2
⍝ == output 3
⍝ == output ¯5
⍝ == output ¯2
⍝ == output 100 10 1
⍝ == output 10 100 1
⍝ == output 1 10 100
⍝ == output 5 14 104
⍝ == output 99
⍝ == output 100
⍝ == output 16
⍝ == output 40
⍝ == output 2 11 101
⍝ == output 3 12 102
⍝ == output 111
log←{⍺←10 ⋄ ⍺⍟⍵}
⎕←log v
⎕←2 log 8
minus←{⍺←⊢ ⋄ ⍺-⍵}
⎕←minus 5
⎕←3 minus 5
turn←{⍺←⊢ ⋄ ⍺⌽⍵}
⎕←turn v
⎕←1 turn v
twice←{⍺←⊢ ⋄ ⍺ ⍺⍺ ⍺ ⍺⍺ ⍵}
⎕←÷twice v
⎕←2+twice v
span←{⍺←⌊/⍵ ⋄ (⌈/⍵)-⍺}
⎕←span v
⎕←0 span v
outer←{⍺←3 ⋄ {⍺←4 ⋄ ⍺×⍵}⍺+⍵}
⎕←outer 1
⎕←9 outer 1
f←{⍺←1 ⋄ ⍺+⍵}
⎕←f¨v
⎕←2 f¨v
⎕←f/v
