⍝ Memory that each round of a loop needs is there before the loop; whether its size is one is for the round to say,
⍝ which may never come.
⍝ == input s int: ¯1
⍝ == input v int 3: 1 2 3
⍝ == case a round
⍝ == error 17:5 DOMAIN ERROR: ⍳ needs a count that is not negative, got ¯1
⍝ == case no round
⍝ == input v int 0:
⍝ == output 0
⍝ == case a size
⍝ == input s int: 3
⍝ == output 18
∇r←run s;A;K
K←r←0
:While K<≢v
  K+←1
  A←⍳s
  r+←+/A[⍋-A|7]
:EndWhile
∇
run s
