⍝ Lengths that only the run knows. A single element would extend; two elements against three do not.
⍝ == input v double 3: 1 2 3
⍝ == case a single element
⍝ == input w double 1: 5
⍝ == output 5 10 15
⍝ == case two elements
⍝ == input w double 2: 5 6
⍝ == error 9:1 LENGTH ERROR: × needs equal lengths, got 3 and 2
v×w
