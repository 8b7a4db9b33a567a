⍝ f⍥g: monadic f g y, dyadic (g x) f g y.
⍝ == input v double 3: 1 ¯4 2
⍝ == output 7
⍝ == output ¯4
⍝ == output 1 16 4
⍝ == output ¯1 4 3
⍝ == output 1
⍝ == output 8
⍝ == output 10 20
⍝ == output 0 1
⍝ == output ¯0.5
⍝ == output ¯4 ¯5
⍝ == output ¯5 ¯6
⎕←¯3+⍥|¯4
⎕←-⍥|¯4
⎕←v×⍥|v
⎕←v⌈⍥-1 1 ¯3
⎕←'abc'=⍥≢'xyz'
⎕←3 4-⍥(+/)v
⎕←3 4+⍥{⍵*2}1 2
⎕←2 7=⍥(2∘|)5 5
⎕←(-⍥÷)2
⎕←1 2∘.+⍥-3 4
