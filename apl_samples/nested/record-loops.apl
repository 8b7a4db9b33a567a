⍝ Records in loops, in recursion and as results of functions: a name that begins without records, or as one, has a
⍝ vector of them from the beginning.
⍝ == input n int : 3
⍝ == output   ann  31   cy  45
⍝ == output   k1  1   k2  4   k3  9
⍝ == output 9 4 1
⍝ == output 0
⍝ == output   a  0   x1  1   x2  2   x3  3
⍝ == output   q3  3   q2  2   q1  1
⍝ == output   bb  4
⍝ == output  cy  45
⍝ == output  nobody  0
people←('ann' 31)('bob' 27)('cy' 45)
∇ r←older limit;p
 r←0⍴⊂'' 0
 :For p :In people
   :If limit<2⊃p
     r,←⊂p
   :EndIf
 :EndFor
∇
older 30
squares←{('k',⍕⍵)(⍵*2)}¨⍳n
squares
⌽2⊃¨squares
≢older 99
({⍵,⊂('x',⍕≢⍵)(≢⍵)}⍣n)⊂(,'a')0
countdown←{⍵=0:0⍴⊂'' 0 ⋄ (⊂('q',⍕⍵)⍵),∇⍵-1}
countdown n
1↑{⍵[⍒2⊃¨⍵]}('a' 1)('bb' 4)('ccc' 2)
∇ r←find name;p
 r←'nobody' 0
 :For p :In people
   :If name≡⊃p
     r←p
   :EndIf
 :EndFor
∇
find 'cy'
find 'eve'
