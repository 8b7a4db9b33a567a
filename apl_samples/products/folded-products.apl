⍝ Sums and extrema of the elements of products, as counts of triangles and of pairs of near points.
⍝ == input a int 3 3: 1 2 0 3 1 4 2 2 5
⍝ == input g bool 4 4: 0 1 1 0 1 0 1 1 1 1 0 0 0 1 0 0
⍝ == output 1
⍝ == output 139
⍝ == output 16 59 67
⍝ == output 3 3 3
⍝ == output 7
⍝ == output 3 4 0
⍝ == output 0
⍝ == output 65.25
⍝ == output 60288
⎕←(+/,g×g+.×g)÷6
⎕←+/,a+.×a
⎕←+/a+.×⍉a
⎕←+/0<a+.×⍉a
⎕←⌈/⌊/a⌈.+a
⎕←⌈⌿a+.-a
⎕←+/,2=m+.×m←70 70⍴0 0 1 0 0
⎕←⌈/⌈/x+.×⍉x←80 64⍴0.5×¯3+7|⍳99
⎕←≢⍸,(64 100⍴⍳5)+.=100 66⍴⍳7
