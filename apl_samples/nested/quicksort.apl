⍝ Sorting by parts: what is below, at and above the pivot, the parts sorted by the function itself.
⍝ == output 1 1 2 3 3 4 5 5 5 6 9
⍝ == output
⍝ == output  1 2 3  1 2  5 
sort←{
    1≥≢⍵:⍵
    pivot←⍵[⌈2÷⍨≢⍵]
    parts←(⍵<pivot)(⍵=pivot)(⍵>pivot)/¨⊂⍵
    (∇⊃parts),(2⊃parts),∇3⊃parts
}
⎕←sort 3 1 4 1 5 9 2 6 5 3 5
⎕←sort ⍬
⎕←sort¨(3 1 2)(2 1)(,5)
