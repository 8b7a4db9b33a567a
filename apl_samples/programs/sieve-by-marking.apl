⍝ The sieve of Eratosthenes, by a function that marks the multiples of a number in an array of outside, if nothing has marked the
⍝ number itself. Each multiple is written where it lies; all that is allocated is the array of marks and the result.
⍝ == input n int: 50
⍝ == output 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47
⍝ == structure {allocs 2}
isPrime ← n⍴1=1
isPrime[1] ← 0
mark ← {isPrime[⍵]: isPrime[⍵×⍵+¯1+⍳0⌈1+⌊(n÷⍵)-⍵]←0 ⋄ 0}
_ ← mark¨1↓⍳⌊n*0.5
⎕←⍸isPrime
