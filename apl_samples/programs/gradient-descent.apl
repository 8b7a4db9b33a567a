⍝ A minimum by gradient descent and a differential equation by Euler and Runge-Kutta: y'=y from 1 is e.
⍝ == input n int: 100
⍝ == output 3000 ¯1000
⍝ == output 2.704813829
⍝ == output 2.718279744
⍝ == output 1
⍝ == output 0.9701 ¯0.199
down←{⍵-0.1×2×⍵-3 ¯1}
⎕←⌊0.5+1000×(down⍣n)0 0
euler←{⍵+0.01×⍵}
⎕←(euler⍣n)1
h←0.1
f←{⍵}
rk←{k1←f ⍵ ⋄ k2←f ⍵+0.5×h×k1 ⋄ k3←f ⍵+0.5×h×k2 ⋄ k4←f ⍵+h×k3 ⋄ ⍵+(h÷6)×k1+(2×k2)+(2×k3)+k4}
⎕←(rk⍣10)1
⎕←1E¯5>|(*1)-(rk⍣10)1
spring←{(x v)←⍵ ⋄ v←v-0.1×x ⋄ (x+0.1×v)v}
⎕←(spring⍣2)1 0
