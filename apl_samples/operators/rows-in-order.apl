⍝ Folds of rows by functions that need an order: several rows take their steps together, each in the order of its own.
⍝ == input n int: 10
⍝ == input none int: 0
⍝ == output 2805124281 2363860890 1203988219 628503876 1853892037 471802054 2979601431 2808059872 707585521 4292847522
⍝ == output 0
⍝ == output 2166136261 2166136261 2166136261
⍝ == output 5.5 7.4375 9.375 11.3125 13.25 15.1875 17.125 19.0625 21 22.9375
⍝ == output 2 3 4 5 6 7 8
⍝ == output ¯3 ¯5 ¯7 ¯9 ¯11 ¯13 ¯15 ¯17 ¯19
hashes←{{4294967296|16777619×⍺ ⎕INT32XOR ⍵}/(⌽⍵),2166136261}⍤1
polynomials←{{⍺+0.5×⍵}/⍵}
m←(⍳n)∘.+⍳⌊n÷2
hashes m
⍴hashes m[⍳none;]
hashes 3 none⍴0
polynomials m
polynomials 7 1↑m
{⍺-2×⍵}/9 2⍴⍳18+none
