⍝ Breadth-first search on lists of neighbours: how many steps each node of a graph is from the first one. 1
⍝ leads to 2 and 3, these to 4, which leads to 5; 6 is not reached, and leads to 1.
⍝ == output 0 1 1 2 3 ¯1
⍝ == output  1  2 3  4  5 
⍝ == output 1 2 1 1
neighbours←(2 3)(,4)(4 1)(,5)(⍬)(,1)
search←{
    graph←⍵
    step←{
        next←∪∊graph[⊃⌽⍵]
        new←next~∊⍵
        0=≢new:⍵
        ∇⍵,⊂new
    }
    step,⊂,⍺
}
levels←1 search neighbours
distance←(≢neighbours)⍴¯1
∇mark levels;k
:For k :In ⍳≢levels
  distance[k⊃levels]←k-1
:EndFor
∇
mark levels
⎕←distance
⎕←levels
⎕←≢¨levels
