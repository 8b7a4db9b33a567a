⍝ Partial sums of series: e, Leibniz' π, the golden ratio as a continued fraction, sums of squares.
⍝ == input n int: 1000
⍝ == output 2.718281828
⍝ == output 3.140592654
⍝ == output 1.618181818
⍝ == output 333833500
⍝ == output 1
⍝ == output 0.5
⎕←1++/÷{×/⍳⍵}¨⍳14
⎕←4×-/÷¯1+2×⍳n
⎕←{⍺+÷⍵}/10⍴1
⎕←+/2*⍨⍳n
⎕←(+/3*⍨⍳n)=2*⍨+/⍳n
⎕←÷/1 2
