⍝ What a call gives is added to, or joined with something: each of these definitions is a loop, and ten
⍝ thousand steps need no stack. Without a left argument, a function that begins with ⍺← is called with that.
⍝ == input n int: 10000
⍝ == output 50005000
⍝ == output 0 1 111 118
⍝ == output 15 997
⍝ == output 5
⍝ == output 6 5 4 3 2 1
⍝ == output 9 0 7 5
⍝ == output M CM XC IV
⍝ == output 97 1
⍝ == output 111
sum←{⍵=0:0 ⋄ ⍵+∇⍵-1}
⎕←sum n
collatz←{⍵=1:0 ⋄ 0=2|⍵:1+∇⍵÷2 ⋄ 1+∇1+3×⍵}
⎕←collatz¨1 2 27 97
most←{⍵=0:0 ⋄ (1000|⍵×⍵)⌈∇⍵-1}
⎕←(sum 5),1+most n
ones←{⍵=0:0 ⋄ 2|⍵:1+∇⌊⍵÷2 ⋄ ∇⌊⍵÷2}
⎕←ones 103
down←{⍵=0:⍬ ⋄ ⍵,∇⍵-1}
⎕←down 6
digits←{⍵<10:,⍵ ⋄ (∇⌊⍵÷10),10|⍵}
⎕←digits 9075
values←1000 900 500 400 100 90 50 40 10 9 5 4 1
names←'M ' 'CM ' 'D ' 'CD ' 'C ' 'XC ' 'L ' 'XL ' 'X ' 'IX ' 'V ' 'IV ' 'I '
roman←{⍵=0:'' ⋄ k←1⍳⍨⍵≥values ⋄ (k⊃names),∇⍵-values[k]}
⎕←¯1↓roman 1994
gcd←{⍺←97 ⋄ ⍵=0:⍺ ⋄ ⍵∇⍵|⍺}
⎕←gcd¨0 96
steps←{⍺←0 ⋄ ⍵=1:⍺ ⋄ 2|⍵:(⍺+1)∇1+3×⍵ ⋄ (⍺+1)∇⍵÷2}
⎕←steps 27
