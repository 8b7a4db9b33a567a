⍝ Functions without arguments, without results, with a left argument that may be missing, shy, and operators.
⍝ == input n int: 5
⍝ == output 42
⍝ == output 47
⍝ == output noted 5
⍝ == output 5
⍝ == output 10
⍝ == output 25
⍝ == output 20
⍝ == output 23
⍝ == output 6
⍝ == output 5 3
⍝ == output 8
∇ r←answer
  r←42
∇
answer
answer+n
∇ note x
  'noted ',⍕x
∇
note n
∇ r←{factor}scaled x
  :If 0=⎕NC'factor' ⋄ factor←1 ⋄ :EndIf
  r←factor×x
∇
scaled n
2 scaled n
∇ {r}←quiet x
  r←x*2
∇
quiet n
⎕←quiet n
∇ r←(f twice)x
  r←f f x
∇
{⍵×2}twice n
∇ r←a(f both g)x
  r←(a f x)+a g x
∇
3+both×n
∇ r←calls x;local
  local←{⍵+x}
  r←local 1
∇
calls n
∇ r←swapped(a b)
  r←b a
∇
swapped 3 n
∇ r←a plus b
  r←a+b
∇
3 plus n
