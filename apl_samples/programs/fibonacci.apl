⍝ Fibonacci numbers: by a pair as loop state, by a growing vector, by a matrix power, by Binet's formula, by recursion.
⍝ == input n int: 20
⍝ == output 6765
⍝ == output 1 1 2 3 5 8 13 21 34 55
⍝ == output 10946 6765
⍝ == output  6765 4181
⍝ == output 6765
⍝ == output 6765
⍝ == output 1 1 2 3 5 8 13 21 34 55
⍝ == output 1.618033963
⍝ == output 1.618033989
pair←{(a b)←⍵ ⋄ b(a+b)}
⎕←⊃(pair⍣n)0 1
⎕←({⍵,+/¯2↑⍵}⍣8)1 1
m←2 2⍴1 1 1 0
⎕←({⍵+.×m}⍣n)2 2⍴1 0 0 1
phi←0.5×1+5*0.5
⎕←⌊0.5+(phi*n)÷5*0.5
fib←{⍺←0 1 ⋄ ⍵=0:⊃⍺ ⋄ ((⊃⌽⍺),+/⍺)∇ ⍵-1}
⎕←fib n
⎕←fib¨⍳10
⎕←÷/fib¨20 19
⎕←{1+÷⍵}⍣≡1
