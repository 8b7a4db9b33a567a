⍝ The series of Leibniz for π÷4: signs in turn, by the few of them again and again.
⍝ == input n int: 1000
⍝ == json {"type": "double", "shape": [], "data": [0.7851481634599485]}
⍝ == structure {allocs 0}
+/(n⍴1 ¯1)÷¯1+2×⍳n
