⍝ Counts and sums by key, said as tables of comparisons. No table is made, and the keys are walked over once. The keys are
⍝ multiples of 3 below 600 in cycles of 200, of which 9990 makes 49 and 190 keys more; 0 is no index.
⍝ == output 9941
⍝ == output 0 50 49
⍝ == output 1
⍝ == output 50 0 49
⍝ == output 1
⍝ == structure {allocs 12, branches 1}
keys   ← 600|3×⍳9990
counts ← +/(⍳600)∘.=keys
⎕←+/counts
⎕←∪counts
⎕←(counts×⍳600)≡((⍳600)∘.=keys)+.×keys
⎕←counts[570 571 597]
⎕←(+/(∪keys)∘.=keys)≡(190/50),(10/49)
