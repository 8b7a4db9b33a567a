⍝ Inner loops whose bounds are told by the round of the outer one, and arrays as long as a number of the user's: no index
⍝ is checked in a round. What is left: memory of three arrays, and that numbers can be lengths.
⍝ == input v int 6: 3 1 4 1 5 9
⍝ == input m int: 9
⍝ == output 6 8 5 8 4 0
⍝ == output 0 1 2 3 4 5
⍝ == output 30
⍝ == structure {checks 5}
∇ r←farthest v;i;j
r←v×0
:For i :In ⍳≢v
    :For j :In i↓⍳≢v
        r[i]⌈←|v[j]-v[i]
    :EndFor
:EndFor
∇
∇ r←before v;i;j
r←v×0
:For i :In ⍳≢v
    :For j :In ⍳i-1
        r[i]+←v[j]≠v[1+i-j]+10
    :EndFor
:EndFor
∇
∇ n←partitions m;p;k;i
p←1,m⍴0
:For k :In ⍳m
    :For i :In (k-1)↓⍳m
        p[i+1]←p[i+1]+p[1+i-k]
    :EndFor
:EndFor
n←p[m+1]
∇
⎕←farthest v
⎕←before v
⎕←partitions m
