⍝ The discrete Fourier transform of 2*k numbers as it is defined: of the even ones and of the odd ones (Cooley and Tukey).
⍝ == output 10 ¯2J2 ¯2 ¯2J¯2
⍝ == output 1
⍝ == output 1 1 1 1
fft←{
    n←≢⍵
    n≤1:⍵+0J0
    even←∇⍵[¯1+2×⍳n÷2]
    odd←∇⍵[2×⍳n÷2]
    turned←odd×*0J¯2×○(¯1+⍳n÷2)÷n
    (even+turned),even-turned
}
⎕←fft 1 2 3 4
x←1J2 3 4J¯1 0 5 2J2 1 7
⎕←1E¯12>⌈/|(fft x)-x+.×⍨*0J¯2×○(∘.×⍨¯1+⍳8)÷8
⎕←|fft 1 0 0 0
