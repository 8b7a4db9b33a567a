⍝ Names that begin empty and gain an item in each step of ¨ ∘. ⍤ ⍣: arrays of arrays from the beginning.
⍝ == output  1  1 2  1 2 3  1 2 3 4 
⍝ == output  1  2  3  4 
⍝ == output  1  1 2  1 2 3  1 2 3 4 
⍝ == output  1 1 1     1  1 1  
⍝ == output  3  4 4 
⍝ == output  3  4  3 3  4 4 
⍝ == output  ba  edc 
⍝ == output  3 2 1  6 5 4 
m←{l←⍬ ⋄ _←{l,←⊂⍳⍵ ⋄ ⍵}¨⍳⍵ ⋄ l}
⎕←m 4
m←{l←'' ⋄ _←{l,←⊂⍕⍵ ⋄ ⍵}¨⍳⍵ ⋄ l}
⎕←m 4
x←⍬ ⋄ l←⍬
_←{x,←⍵ ⋄ l,←⊂x ⋄ ⍵}¨⍳4
⎕←l
⎕←{(a b)←⍵ ⋄ (a,1)(b,⊂a)}⍣3⊢⍬ ⍬
k←⍬ ⋄ _←1 2{k,←⊂⍺⍴⍵ ⋄ 0}¨3 4 ⋄ ⎕←k
k←⍬ ⋄ _←1 2∘.{k,←⊂⍺⍴⍵ ⋄ 0}3 4 ⋄ ⎕←k
k←⍬ ⋄ _←{k,←⊂⌽⍵ ⋄ 0}¨'ab' 'cde' ⋄ ⎕←k
k←⍬ ⋄ _←{k,←⊂⌽⍵ ⋄ 0}⍤1⊢2 3⍴⍳6 ⋄ ⎕←k
