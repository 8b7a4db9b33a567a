⍝ Mandelbrot's set without complex numbers: the state of the loop is the two parts and the counts. A point counts its
⍝ steps inside the circle of radius 2. The table was counted in Python.
⍝ == input n int: 12
⍝ == output  1  2  3  4 12 2
⍝ == output  1  3  5 12 12 5
⍝ == output 12 12 12 12 12 5
⍝ == output  1  3  5 12 12 5
⍝ == output  1  2  3  4 12 2
⍝ == output 11
⍝ == output 1
re←5 6⍴¯2+0.5×¯1+⍳6
im←⍉6 5⍴¯1+0.5×¯1+⍳5
step←{
    (x y k)←⍵
    in←4≥(x×x)+y×y
    xn←re+(x×x)-y×y
    yn←im+2×x×y
    ((x×~in)+xn×in)((y×~in)+yn×in)(k+in)
}
zero←5 6⍴0
count←3⊃(step⍣n)zero zero zero
⎕←count
⎕←+/n=,count
⎕←count≡⊖count
