⍝ Arrays of arrays have types like any others; a strand becomes one where it is asked for.
⍝ == output 3
⍝ == output 6.5
⍝ == output  cba  ed 
⍝: [[char]1]1 → int
longest ← {⌈/≢¨⍵}
⍝: [[double]1]1 → double
total ← {+/+/¨⍵}
⍝: [[char]1]1 → [[char]1]1
reversed ← {⌽¨⍵}
⎕←longest 'abc' 'de'
⎕←total (1.5 2)(,3)
⎕←reversed 'abc' 'de'
