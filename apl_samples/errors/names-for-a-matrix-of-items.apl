⍝ Names side by side take the items of a vector, not of a matrix.
⍝ == error 3:1 RANK ERROR: 2 names need a vector of 2 values
(a b)←3↑¨2 2⍴⍳4
