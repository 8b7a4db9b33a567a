⍝ Averages of windows: plain, weighted, exponential; by reduction of windows and by differences of sums.
⍝ == input v double 6: 1 2 6 4 2 9
⍝ == input n int: 3
⍝ == output 3 4 4 5
⍝ == output 3 4 4 5
⍝ == output 3 4 4 5
⍝ == output 1.5 4 5 3 5.5
⍝ == output 6 6 6 9
⍝ == output 5 4 4 7
⍝ == output 2.75 4.5 4 4.25
⍝ == output 5.96875
⎕←(3+/v)÷3
⎕←(n+/v)÷n
average←{s←0,+\⍵ ⋄ ((⍺↓s)-(-⍺)↓s)÷⍺}
⎕←n average v
⎕←2 average v
⎕←n⌈/v
⎕←(n⌈/v)-n⌊/v
weighted←{w←⍺ ⋄ x←⍵ ⋄ (+/w)÷⍨{w+.×x[⍵+¯1+⍳≢w]}¨⍳1+(≢x)-≢w}
⎕←1 2 1 weighted v
smooth←{a←⍺ ⋄ {(a×⍵)+⍺×1-a}/⌽⍵}
⎕←0.5 smooth v
