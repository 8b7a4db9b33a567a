⍝ Depth of brackets, whether they are closed, text in quotes by parity, what stands outside of brackets.
⍝ == input t char 10: 'a(b(c)d)(e'
⍝ == output 0 1 1 2 2 1 1 0 1 1
⍝ == output 2
⍝ == output 0
⍝ == output 0
⍝ == output 1
⍝ == output 0
⍝ == output 0 0 0 0 1 1 1 0 0 0 0 0 1 1 1 0
⍝ == output ahoh
⍝ == output say  or
⎕←+\(t='(')-t=')'
⎕←⌈/+\(t='(')-t=')'
⎕←0=+/(t='(')-t=')'
⎕←{(0=+/⍵)∧∧/0≤+\⍵}(t='(')-t=')'
balanced←{d←('('=⍵)-')'=⍵ ⋄ (0=+/d)∧∧/0≤+\d}
⎕←balanced '(())()'
⎕←balanced ')('
s←'say "ah" or "oh"'
q←s='"'
⎕←≠\q
⎕←(q<≠\q)/s
⎕←(~q∨≠\q)/s
