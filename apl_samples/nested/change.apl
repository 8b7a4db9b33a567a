⍝ All ways to pay a sum with coins, the largest first: those with the first coin, and those without it. And
⍝ primes as what is left without multiples.
⍝ == output  5  2 2 1  2 1 1 1  1 1 1 1 1 
⍝ == output 4 10
⍝ == output 2 3 5 7 11 13 17 19 23 29
ways←{
    coins sum←⍵
    0=sum:,⊂⍬
    0=≢coins:0⍴⊂⍬
    without←∇(1↓coins)sum
    sum<⊃coins:without
    ((⊃coins),¨∇coins(sum-⊃coins)),without
}
⎕←ways(5 2 1)5
⎕←{≢ways(5 2 1)⍵}¨5 10
⎕←(1↓⍳30)~∊{⍵×1+⍳⌊30÷⍵}¨1↓⍳6
