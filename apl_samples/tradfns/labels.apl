⍝ Loops and conditions made of labels and arrows, as they were written before there were control structures.
⍝ == input n int: 1000
⍝ == output 31
⍝ == output 111
⍝ == output 55
⍝ == structure {allocs 0}
∇ r←root n;lo;hi;mid
  lo←0 ⋄ hi←n+1
L:→(1≥hi-lo)/END
  mid←⌊(lo+hi)÷2
  →(n<mid×mid)/UP
  lo←mid
  →L
UP:hi←mid
  →L
END:r←lo
∇
root n
∇ steps←collatz n
  steps←0
NEXT:→(n=1)⍴0
  steps←steps+1
  →(0=2|n)/EVEN
  n←1+3×n
  →NEXT
EVEN:n←n÷2
  →NEXT
∇
collatz 27
∇ r←fib n
  →(n<2)/BASE
  r←(fib n-1)+fib n-2
  →0
BASE:r←n
∇
fib 10
