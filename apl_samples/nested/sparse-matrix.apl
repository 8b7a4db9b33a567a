⍝ A sparse matrix by those of its rows that have elements, of which only the elements that are not 0 are kept, times a vector.
⍝ == output 90 190 450
⍝ == output 1
⍝ == output 2 2 2
dense←4 5⍴0 2 0 0 1 0 0 0 0 0 3 0 0 4 0 0 0 5 0 6
places←⍸0≠,dense
columns←1+5|places-1
values←(,dense)[places]
begins←1,2≠/⌈places÷5
rows←begins⊂values×(10×⍳5)[columns]
⎕←+/¨rows
⎕←(+/¨rows)≡(0≠⊢)⍛/dense+.×10×⍳5
⎕←≢¨rows
