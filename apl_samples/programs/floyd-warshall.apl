⍝ Shortest ways in a graph of four places: by min-plus squaring until nothing changes, and place by place. 99 is no way.
⍝ From 1 to 3 it is 1-2-3 with 5+3; from 4 to 2: 4-1-2 with 2+5.
⍝ == input d int 4 4: 0 5 99 10 99 0 3 99 99 99 0 1 2 99 99 0
⍝ == output 0 5  8 9
⍝ == output 6 0  3 4
⍝ == output 3 8  0 1
⍝ == output 2 7 10 0
⍝ == output 0 5  8 9
⍝ == output 6 0  3 4
⍝ == output 3 8  0 1
⍝ == output 2 7 10 0
⍝ == output 8
⍝ == output 10
⍝ == output 1
⍝ == output 2 1 0
⎕←{⍵⌊.+⍵}⍣≡d
floyd←{
    step←{(k d)←⍵ ⋄ (k+1)(d⌊d[;k]∘.+d[k;])}
    k←1
    d←⍵
    2⊃(step⍣(≢d))k d
}
⎕←floyd d
⎕←(floyd d)[1;3]
⎕←⌈/,floyd d
reach←{⍵∨⍵∨.∧⍵}⍣≡
⎕←∧/,reach d<99
⎕←+/reach 3 3⍴0 1 0 0 0 1 0 0 0
