⍝ Running values along the first axis: each row is the one before it combined with the elements, side by side.
⍝ The result is in order as it is written: one array, and no transposition. Two, three and four columns have a loop each,
⍝ in which the last row stays in registers.
⍝ == case three rows
⍝ == input m double 3 4: 1 2 3 4 10 20 30 40 100 ¯200 300 400
⍝ == json {"type": "double", "shape": [3, 4], "data": [1.0, 2.0, 3.0, 4.0, 11.0, 22.0, 33.0, 44.0, 111.0, -178.0, 333.0, 444.0]}
⍝ == structure {allocs 1, loops 9, simd 2, modulo 0, branches 0}
⍝ == case no rows
⍝ == input m double 0 4:
⍝ == json {"type": "double", "shape": [0, 4]}
⍝ == case no columns
⍝ == input m double 2 0:
⍝ == json {"type": "double", "shape": [2, 0]}
⍝ == case one row
⍝ == input m double 1 2: ¯3 5
⍝ == json {"type": "double", "shape": [1, 2], "data": [-3.0, 5.0]}
+⍀m
