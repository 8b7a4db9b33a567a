⍝ Complex numbers are equal or not, within ⎕CT; they have no order. What searches compares both parts.
⍝ == output 1 0 0
⍝ == output 0 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 3 4 2
⍝ == output 1 1
⍝ == output 1J1 2
⍝ == output 1 1 0 0
⍝ == output 1J1 3
⍝ == output 2
⍝ == output 1J1 2 3J1
⍝ == output 1 0 1
⍝ == output 2J1 0J9 3
⍝ == output 3 0J9 2J1
⍝ == output 2J1 0J9 3
⍝ == output 2J1 0J9 3
⍝ == output 2J1 2J1
⍝ == output 0J9 0J9
⍝ == output   3   3
⍝ == output 2J1 3
⍝ == output 2J1 0J9 3
⍝ == output 0
⍝ == output 0
⍝ == output 3J4 ¯81 9
⍝ == output 0J¯1
⍝ == output 0
⍝ == output 1 2 3
⍝ == output 0 1
⍝ == output 1 0
⎕←3J4=3J4 4J3 3
⎕←1 2J0≠1J0 2J1
⎕←1J1=1J1+1E¯15
⎕←3J4≡3J4
⎕←2≡2J0
⎕←1J1 2 3J1⍳3J1 7 2
⎕←2 1J1∊1J1 2 3
⎕←∪1J1 2 1J1 2
⎕←≠1J1 2 1J1 2
⎕←1J1 2 3~2
⎕←1J1 2∩2 3
⎕←1J1 2∪2 3J1
⎕←2≥|1J1 3J4 0J2
x←1J1 2 3
x[2]←0J9
x[1]+←1
⎕←x
⎕←⌽x
⎕←2 3⍴x
⎕←⍉2 3⍴x
⎕←1 0 1/x
⎕←¯1↓x,5
⎕←⍴0↑x
⎕←1↑0↑x
⎕←{⍵×⍵}¨x
⎕←{⍵>0:0J1×∇⍵-1 ⋄ 1J0}3
⎕←0J1=⊃x
⎕←⍳3J0
⎕CT←0
⎕←1J1=1J1+1E¯15 0
⎕←1J1≠1J1+1E¯15 0
