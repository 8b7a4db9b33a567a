⍝ Arrays of arrays as JSON: each axis is an array of JSON, a vector of characters a string, and an enclosed array as if it
⍝ were not.
⍝ == output ["to","be"]
⍝ == output [[1],[1,2],[1,2,3]]
⍝ == output [[1],[1,2]]
⍝ == output [[[1,2],[3,4,5]],[[6],[7,8]]]
⍝ == output [[[1],[1,2]],[[1,2,3]]]
⍝ == output []
⍝ == output ["a",[1,-2],[[1,2],[3,4]],["bc","d\"e"],[[1],[1,2]]]
⍝ == output 3 5
⍝ == error 20:3 DOMAIN ERROR: JSON has no number ∞
⎕←⎕JSON ' '(≠⊆⊢)'to be'
⎕←⎕JSON ⍳¨⍳3
⎕←1⎕JSON ⊂⍳¨⍳2
⎕←⎕JSON 2 2⍴(1 2)(3 4 5)(,6)(7 8)
⎕←⎕JSON ⍳¨¨(1 2)(,3)
⎕←⎕JSON 0⍴⊂1 2
⎕←⎕JSON 'a' (1 ¯2) (2 2⍴⍳4) ('bc' 'd"e') (⍳¨⍳2)
⎕←≢¨⎕JSON¨(⍳1)(⍳2)
⎕←⎕JSON (1 2)(1E308×1 10)
