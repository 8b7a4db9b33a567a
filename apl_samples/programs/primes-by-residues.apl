⍝ Primes by the table of residues, the sieve by products, factors of a number, twins. 541 is the hundredth prime.
⍝ == input n int: 60
⍝ == output 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59
⍝ == output 1
⍝ == output 541
⍝ == output 1 2 4 7 14 28
⍝ == output 1 1 0
⍝ == output 2 2 2 3 3 5
⍝ == output 97
⍝ == output 9240
⍝ == output 3 5 11 17 29 41
primes←{(2=+⌿0=(⍳⍵)∘.|⍳⍵)/⍳⍵}
⎕←primes n
sieve←{v←1↓⍳⍵ ⋄ (~v∊v∘.×v)/v}
⎕←(sieve n)≡primes n
⎕←(primes 541)[100]
divisors←{(0=⍵|⍨⍳⍵)/⍳⍵}
⎕←divisors 28
⎕←{⍵=+/¯1↓divisors ⍵}¨6 28 30
factors←{⍵=1:⍬ ⋄ f←⊃1↓divisors ⍵ ⋄ f,∇⌊⍵÷f}
⎕←factors 360
⎕←factors 97
⎕←×/factors 9240
twins←{p←primes ⍵ ⋄ (p∊p-2)/p}
⎕←twins n
