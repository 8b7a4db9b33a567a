⍝ A strand of arrays of different types or shapes as the state of a loop, taken apart by strand assignment, by pick
⍝ and by index.
⍝ == input n int: 10
⍝ == output 55
⍝ == output 3
⍝ == output 12
⍝ == output 0 1 2
⍝ == output 5 3
⍝ == output 3 2
⍝ == output 6
⍝ == output 0 1 0
⍝ == output 0 0 1
⍝ == output 1 0 0
fib←{(a b)←⍵ ⋄ b(a+b)}
⎕←⊃(fib⍣n)0 1
s←1.5
k←0
v←⍬
step←{(k s v)←⍵ ⋄ (k+1)(s×2)(v,k)}
(k s v)←(step⍣3)k s v
⎕←k
⎕←s
⎕←v
m←2 2⍴1 1 1 0
i←2 2⍴1 0 0 1
(i m)←({(i m)←⍵ ⋄ (i+.×m)m}⍣4)i m
⎕←i
count←0
board←3 3⍴1 0 0 0 1 0 0 0 1
last←({(c b)←⍵ ⋄ (c++/,b)(1⌽b)}⍣2)count board
⎕←1⊃last
⎕←2⊃last
