⍝ The least of infinities is infinity, and the greatest of ¯∞ is ¯∞; a number beside them is less, or greater.
⍝ == input v double 9: inf inf inf inf inf inf inf inf inf
⍝ == input w double 9: inf inf inf inf inf 3 inf inf inf
⍝ == output ∞
⍝ == output ¯∞
⍝ == output 3
⍝ == output ¯3
⍝ == output ∞ ∞ ∞
⍝ == output ∞ ¯∞
⍝ == output ∞ 3 ∞
⎕←⌊/v
⎕←⌈/-v
⎕←⌊/w
⎕←⌈/-w
⎕←⌊/3 3⍴v
⎕←(⌊/v×2),⌈/¯2×v
⎕←⌊/3 3⍴w
