⍝ (f g h)y is (f y)g h y, x(f g h)y is (x f y)g x h y, (A g h)y is A g h y; (g h)y is g h y.
⍝ Longer trains group from the right: (⌈/-⌊/) is a fork, (-⌈/-⌊/) the negative of that fork.
⍝ == output 2.5
⍝ == output 4 ¯2
⍝ == output ¯5 5
⍝ == output 1 0
⍝ == output ¯0.25
⍝ == output ¯12
⍝ == output 6
⍝ == output 13
⍝ == output 3
⍝ == output ¯3
⍝ == output 0.25 0.25 0.5
⍝ == output 2 3 4
⍝ == output 20 30
⎕←(+/÷≢)1 2 3 4
⎕←3(+,-⍨)1        ⍝ 3+1, and 3-⍨1, which is 1-3
⎕←(-,⊢)5
⎕←((⌽≡⊢)1 2 1),(⌽≡⊢)1 2 3
⎕←(-÷)4
⎕←3(-×)4
⎕←(1+⊢)5
⎕←2(3+×)5
⎕←(⌈/-⌊/)3 1 4
⎕←(-⌈/-⌊/)3 1 4
⎕←(⊢÷+/)1 1 2
⎕←(1+⊢)1 2 3
⎕←(1∘+×2∘+)¨3 4
