⍝ Sobol numbers in two dimensions for π: four times the part of the points that lie in the quarter of the circle. The
⍝ directions of the second dimension belong to the polynomial x+1: d is d shifted by one exclusive or d.
⍝ == input n int: 1024
⍝ == output 536870912 805306368 671088640 1006632960
⍝ == output 0.5 0.75 0.25
⍝ == output 0.5 0.25 0.75
⍝ == output 3.1484375
first←1 ⎕INT32SHL 30-⍳30
second←{⍵,(⊃⌽⍵)⎕INT32XOR(⊃⌽⍵)⎕INT32SHR 1}⍣29⊢,1 ⎕INT32SHL 29
⎕←4↑second
points←{
    k←⍵
    gray←k ⎕INT32XOR k ⎕INT32SHR 1
    set←0≠gray∘.⎕INT32AND 1 ⎕INT32SHL ¯1+⍳30
    (⎕INT32XOR/set×(⍴set)⍴⍺)÷2*30
}
k←¯1+⍳n
x←first points k
y←second points k
⎕←3↑1↓x
⎕←3↑1↓y
⎕←4×(+/1≥(x×x)+y×y)÷n
