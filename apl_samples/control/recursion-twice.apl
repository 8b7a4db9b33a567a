⍝ Functions that call themselves twice and three times, where no call needs what another one gives: with
⍝ threads they may be made at the same time. Fibonacci's numbers, Merge sort, the ways to pay a sum with some
⍝ coins, and the moves of the tower of Hanoi.
⍝ == output 6765
⍝ == output 1 1 2 3 4 5 6 9
⍝ == output 4
⍝ == output 98
⍝ == output 1 2 1 3 2 3 1 2 3 1 3 2 1 2
⍝ == output 127
fibonacci←{⍵<2:⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2}
⎕←fibonacci 20
merge←{all←⍺,⍵ ⋄ all[⍋all]}
sort←{1≥≢⍵:⍵ ⋄ half←⌊2÷⍨≢⍵ ⋄ (∇half↑⍵)merge ∇half↓⍵}
⎕←sort 3 1 4 1 5 9 2 6
coins←1 2 5 10 25
ways←{⍵=0:1 ⋄ (⍵<0)∨⍺=0:0 ⋄ (⍺ ∇ ⍵-coins[⍺])+(⍺-1)∇ ⍵}
⎕←3 ways 5
⎕←4 ways 30
hanoi←{⍵=0:⍬ ⋄ from to by←⍺ ⋄ (from by to ∇ ⍵-1),from,to,by to from ∇ ⍵-1}
⎕←1 2 3 hanoi 3
moves←{⍵=0:0 ⋄ 1+(∇ ⍵-1)+∇ ⍵-1}
⎕←moves 7
