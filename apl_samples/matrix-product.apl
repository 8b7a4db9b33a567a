⍝ The example of the thesis: A is 1 2/3 4/5 1 and B its transpose. R and the product of its row sums 23 55 52.
⍝ == output  5 11  7
⍝ == output 11 25 19
⍝ == output  7 19 26
⍝ == output 65780
⍝ == output 35 19
⍝ == output 19 21
⍝ == output 1
A ← 3 2⍴⍳5
B ← ⍉A
R ← A +.× B
⎕←R
R2 ← ×/+/R
⎕←R2
⎕←B+.×A
⎕←R≡(∘.=⍨⍳3)+.×R
