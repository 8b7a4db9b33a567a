⍝ Chance: the sum of many dice is near 3.5 times their number, π by points in a square, a shuffled deck has all its cards.
⍝ The bounds are ten standard deviations wide.
⍝ == input n int: 10000
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⎕RL←20
d←?n⍴6
⎕←0.171>|3.5-(+/d)÷n
⎕←6=≢∪d
⎕←∧/(+/(⍳6)∘.=d)>1200
x←(?n⍴1000000)÷1000000
y←(?n⍴1000000)÷1000000
⎕←0.17>|(○1)-4×(+/1>(x×x)+y×y)÷n
deck←52?52
⎕←(⍳52)≡deck[⍋deck]
hand←5?52
⎕←(5=≢∪hand)∧∧/hand≤52
