⍝ Places that a mask tells which is longer than the vector: how many values there are is asked before places.
⍝ == input v int 3: 10 20 30
⍝ == case nothing is beyond
⍝ == input m bool 5: 1 0 1 0 0
⍝ == input w int 2: 7 8
⍝ == output 7 20 8
⍝ == case too few values
⍝ == input m bool 5: 1 0 1 0 0
⍝ == input w int 3: 7 8 9
⍝ == error 23:1 LENGTH ERROR: the index of v selects 2 elements, there are 3 values
⍝ == case too few values for places of which one is beyond
⍝ == input m bool 5: 1 0 1 0 1
⍝ == input w int 2: 7 8
⍝ == error 23:1 LENGTH ERROR: the index of v selects 3 elements, there are 2 values
⍝ == case one place is beyond
⍝ == input m bool 5: 1 0 1 0 1
⍝ == input w int 3: 7 8 9
⍝ == error 23:1 INDEX ERROR: v has no element 5, the length is 3
⍝ == case one value for all
⍝ == input m bool 5: 1 0 1 0 1
⍝ == input w int 1: 7
⍝ == error 23:1 INDEX ERROR: v has no element 5, the length is 3
v[⍸m]←w
v
