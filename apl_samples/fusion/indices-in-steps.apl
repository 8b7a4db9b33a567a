⍝ Indices that are a number plus ⍳n select slices: they are checked at their ends, and neither written to memory nor looked up.
⍝ The elements are 0 1 2 … in rows, so the mean of the four neighbours is the element itself.
⍝ == input u int 4 5: arange
⍝ == case inside
⍝ == output  6  7  8
⍝ == output 11 12 13
⍝ == structure {loops 2, allocs 1, modulo 0, branches 0}
⍝ == case nothing inside
⍝ == input u int 4 2: arange
⍝ == json {"shape": [2, 0]}
⍝ == case a single element
⍝ == input u int 3 3: arange
⍝ == output 4
⍝ == case less than a border
⍝ == input u int 1 5: arange
⍝ == error 17:5 DOMAIN ERROR: ¯1
i←1+⍳¯2+≢u
j←1+⍳¯2+2⊃⍴u
0.25×u[i-1;j]+u[i+1;j]+u[i;j-1]+u[i;j+1]
