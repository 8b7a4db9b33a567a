⍝ Run-length decoding: counts of several digits and letters in a text, each letter as often as its count
⍝ says, and by items, with a separator between the runs.
⍝ == output aaabccccccccccccd
⍝ == output 3 1 12 1
⍝ == output aaa-b-cccccccccccc-d
⍝ == output 3a1b12c1d
code←'3a1b12c1d'
letter←~code∊⎕D
counts←{10⊥¯1+⎕D⍳⍵}¨(~letter)⊆code
⎕←counts/letter/code
⎕←counts
⎕←1↓∊'-',¨counts⍴¨letter/code
encode←{runs←(1,2≠/⍵)⊂⍵ ⋄ ∊(⍕¨≢¨runs),¨⊃¨runs}
⎕←encode counts/letter/code
