⍝ == error 2:1 RANK ERROR: + needs equal ranks or a scalar
(2 2⍴⍳4)+1 2 3
