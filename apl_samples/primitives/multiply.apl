⍝ Dyadic ×. Functions have no precedence: 2×3+4 is 2×(3+4).
⍝ == output 12
⍝ == output ¯1 ¯2 ¯3
⍝ == output 2
⍝ == output 5 0
⍝ == output
⍝ == output 14
⍝ == output 1  4
⍝ == output 9 16
⍝ == output ¯9223372036854775808
⎕←3×4
⎕←1 2 3×¯1
⎕←0.5×4
⎕←(0 1=0)×5
⎕←⍬×2
⎕←2×3+4
⎕←(2 2⍴⍳4)×2 2⍴⍳4
⎕←4611686018427387904×2   ⍝ 2*62, doubled: it wraps
