⍝ Complex numbers: J stands between the parts. The numbers were checked with Python's.
⍝ == structure {allocs 0}
⍝ == output 3J4 ¯1J0.5 2
⍝ == output 4J5 0J1.5 3J1
⍝ == output 2J4 ¯1J¯0.5 0
⍝ == output ¯4J3 ¯0.5J¯1 0J2
⍝ == output 6J8 ¯3J1.5 8
⍝ == output 3.5J0.5 ¯0.25J0.75 1J¯1
⍝ == output 1.5J2 ¯0.5J0.25 1
⍝ == output 0.12J¯0.16
⍝ == output 3J¯4 ¯1J¯0.5 2
⍝ == output ¯3J¯4 1J¯0.5 ¯2
⍝ == output 5 1.118033989 2
⍝ == output 0.6J0.8
⍝ == output 1
⍝ == output 4J4.5
⍝ == output ¯10J¯5
⍝ == output 6J3.5
⍝ == output 3J4 2J4.5 4J4.5
⍝ == output    ¯4J3    3J4
⍝ == output ¯0.5J¯1 ¯1J0.5
⍝ == output     0J2      2
⍝ == output ¯2.25J23
⍝ == output 4
⍝ == output 1
z←3J4 ¯1J.5 2
⎕←z
⎕←z+1J1
⎕←z-1 0J1 2J0
⎕←z×0J1
⎕←z×2 3 4
⎕←z÷1J1
⎕←z÷2
⎕←÷3J4
⎕←+z
⎕←-z
⎕←|z
⎕←×3J4
⎕←0J0÷0
⎕←+/z
⎕←×/z
⎕←-/z
⎕←+\z
⎕←z∘.×0J1 1
⎕←z+.×z
⎕←⍴⍕1J¯1
⎕←1J0
