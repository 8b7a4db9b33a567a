⍝ A sparse matrix times a vector. Of each row there are the columns of its elements, and the elements.
⍝ == output 40 0 250
multiply ← {
    ⎕IO ← 0
    columns values ← ⍺
    x ← ⍵
    +/¨values×{x[⍵]}¨columns
}
⎕←((,1)(⍳0)(0 2))((,2)(⍳0)(1 8))multiply 10 20 30
