⍝ Monadic - negates. A boolean is an integer then; both zeros are 0.
⍝ == output ¯3
⍝ == output 2.5 0 ¯7
⍝ == output ¯3
⍝ == output
⍝ == output ¯1 0
⍝ == output 0
⍝ == output ¯1 ¯2
⍝ == output
⍝ == output ¯3 ¯4
⎕←-3
⎕←-¯2.5 0 7
⎕←---3
⎕←-⍬
⎕←-3=3 4
⎕←-0.0
⎕←-2 1 2⍴⍳4
