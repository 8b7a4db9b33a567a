⍝ Labels and arrows beside control structures, and the other ways to write a condition.
⍝ == output 2 3 5 7 11 13
∇ r←primes n;k
  r←⍳0 ⋄ k←1
MORE:→END×⍳n<k←k+1
  :If 0∊r|k ⋄ →MORE ⋄ :EndIf
  r←r,k
  →MORE
END:
∇
primes 13
