⍝ The discrete Fourier transform of 2*k numbers by stages: each makes rows of twice the length from the upper and the lower
⍝ half of the rows (Stockham). Against the definition, which multiplies by a matrix of roots of 1.
⍝ == output 10 ¯2J2 ¯2 ¯2J¯2
⍝ == output 1
⍝ == output 1
⍝ == output 3J1
⍝ == output 6 1020
⍝ == output 1
stage←{
    half←(≢⍵)÷2
    turned←(half↓⍵)×[2]*0J¯1×○(¯1+⍳l)÷l←2⊃⍴⍵
    ((half↑⍵)+turned),(half↑⍵)-turned
}
fft←{,stage⍣(⌊0.5+2⍟≢⍵)⍪⍵}
inverse←{(+fft+⍵)÷≢⍵}
defined←{⍵+.×⍨*0J¯2×○(∘.×⍨¯1+⍳≢⍵)÷≢⍵}
⎕←fft 1 2 3 4
x←1J2 3 4J¯1 0 5 2J2 1 7
⎕←1E¯12>⌈/|(fft x)-defined x
⎕←1E¯12>⌈/|x-inverse fft x
⎕←fft,3J1
n←1024
spectrum←|fft 2○(○2×5×¯1+⍳n)÷n
⎕←⍸spectrum>1
⎕←1E¯9>|512-⌈/spectrum
