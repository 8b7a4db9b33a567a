⍝ A modified or indexed assignment changes the nearest name there is, also from inside ¨, ∘., f/, ⍣, guards and recursion; a plain
⍝ assignment makes a local one. The order is that of the elements, and from the last for a reduction.
⍝ == input n int: 5
⍝ == output 1 3 6 10 15
⍝ == output 15
⍝ == output 0.5 1   1.5
⍝ == output 2   2.5 3
⍝ == output 36
⍝ == output 26 ¯14 ¯104
⍝ == output ¯124 ¯164 ¯224
⍝ == output ¯123 ¯122 ¯121
⍝ == output  ¯20  ¯19  ¯18
⍝ == output 3
⍝ == output ¯14
⍝ == output cab
⍝ == output hello
⍝ == output 0
⍝ == output 1 1 3 4
⍝ == output ¯9
⍝ == output 40 8
⍝ == output 1 4 9 16 0
⍝ == output 55 55
⍝ == output 5 15
⍝ == output 4 1.5
⍝ == output 8 3 17
⍝ == output 7 1
⍝ == output 1 1 1
⍝ == output 2.5 0 0
x←0
⎕←{x+←⍵ ⋄ x}¨⍳n
⎕←x
⎕←{x+←⍵ ⋄ ⍵÷2}¨2 3⍴⍳6
⎕←x
⎕←(⍳3){x-←⍺×⍵ ⋄ x}¨10 20 30
⎕←2{x-←⍺×⍵ ⋄ x}¨10 20 30
⎕←(⍳2)∘.{x+←1 ⋄ x+100×⍺}⍳3
⎕←{x+←n ⋄ ⍺-⍵}/⍳n
x←¯14
⎕←x
⎕←{x+←1 ⋄ 'abc'[⍵]}¨3 1 2
text←''
t←{text,←⍵ ⋄ 0}¨'hello'
⎕←text
⎕←≢{x+←1 ⋄ ⍵}¨0⍴n
f←{⍵>2: x+←⍵ ⋄ x-←1}
⎕←f¨⍳4
x+←9-x+9+9
⎕←x
c←2
⎕←c,⍨{c+←2 ⋄ ⍵×2}⍣3⊢n
squares←n⍴0
k←{squares[⍵]←⍵×⍵ ⋄ ⍵+1}⍣4⊢1
⎕←squares
sum←0
to←{⍵=0: sum ⋄ sum+←⍵ ⋄ ∇ ⍵-1}
⎕←sum,⍨to 10
calls←0
fib←{calls+←1 ⋄ ⍵<2: ⍵ ⋄ (∇ ⍵-1)+∇ ⍵-2}
⎕←calls,⍨fib n
z←0
⎕←z,⍨{z+←0.5 ⋄ ⍵+z}⍣3⊢1
(a b)←0
r←{a+←1 ⋄ {b+←a ⋄ ⍵+1}⍣⍵⊢⍵}⍣3⊢1
⎕←r,a,b
own←{x←⍵ ⋄ x+←2 ⋄ g←{x×←⍵ ⋄ 0} ⋄ o←g¨1 1 ⋄ x}
x←1
⎕←(own n),x
w←3⍴0
⎕←{w[1]←2.5 ⋄ ⍵≥⍺}\(⍳3)+0.5×w
⎕←w
