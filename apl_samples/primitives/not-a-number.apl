⍝ Infinities and NaN that come from outside travel on as IEEE 754 says: of the comparisons with NaN only ≠ holds, so
⍝ ~a>b is not a≤b.
⍝ == input v double 4: inf -inf nan 2
⍝ == output ∞ ¯∞ NaN 2
⍝ == output 1 0 0 1
⍝ == output 0 1 1 0
⍝ == output 0 1 0 0
⍝ == output 1 0 1 1
⍝ == output 1 0 1 1
⍝ == output 0 1 1 0
⍝ == output 1 1 0 1
⍝ == output 0 0 1 0
⍝ == output 1 1 1 0
⍝ == output ¯∞ ∞ NaN ¯2
⍝ == output ∞ ¯∞ NaN 3
⍝ == output 0 0
⎕←v
⎕←v>1
⎕←~v>1
⎕←v≤1
⎕←~v≤1
⎕←~v<1
⎕←~v≥1
⎕←v=v
⎕←v≠v
⎕←~v=2
⎕←-v
⎕←v+1
⎕←1÷2↑v
