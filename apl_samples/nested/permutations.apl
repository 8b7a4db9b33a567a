⍝ All permutations: each element in front of the permutations of the others. And the subsets of a set.
⍝ == output  1 2 3  1 3 2  2 1 3  2 3 1  3 1 2  3 2 1 
⍝ == output 24
⍝ == output  abc  acb  bac  bca  cab  cba 
⍝ == output    3  2  2 3  1  1 3  1 2  1 2 3 
perms←{1≥≢⍵:,⊂⍵ ⋄ rest←⍵ ⋄ ⊃,/{⍵,¨perms rest~⍵}¨rest}
⎕←perms ⍳3
⎕←≢perms ⍳4
⎕←perms 'abc'
subsets←{0=≢⍵:,⊂⍬ ⋄ s←∇1↓⍵ ⋄ s,(⊃⍵),¨s}
⎕←subsets ⍳3
