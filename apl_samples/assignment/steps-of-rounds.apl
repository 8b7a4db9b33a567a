⍝ Places in steps as long as the number of a round: they are checked before anything is read, and each element is
⍝ written where it was read.
⍝ == structure {allocs 3}
⍝ == case smallest factors
⍝ == input n int: 20
⍝ == input k int: 20
⍝ == output 1 2 3 2 5 2 7 2 3 2 11 2 13 2 3 2 17 2 19 2
⍝ == output 1 1 2 2 4 2 6 4 6 4 10 4 12 6 8 8 16 6 18 8
⍝ == output 1 3 4 7 6 12 8 15 13 18 12 28 14 24 24 31 18 39 20 42
⍝ == case too many
⍝ == input n int: 20
⍝ == input k int: 21
⍝ == output 1 2 3 2 5 2 7 2 3 2 11 2 13 2 3 2 17 2 19 2
⍝ == output 1 1 2 2 4 2 6 4 6 4 10 4 12 6 8 8 16 6 18 8
⍝ == error 42:10 INDEX ERROR: f has no element 21, the length is 20
⍝ == case nothing
⍝ == input n int: 0
⍝ == input k int: 0
⍝ == output 
⍝ == output 
⍝ == output 
∇ f←factors n;i;j
f←⍳n
:For i :In 1↓⍳⌊n*0.5
    j←i×1↓⍳⌊n÷i
    f[j]←f[j]⌊i
:EndFor
∇
∇ f←totients n;i;j
f←⍳n
:For i :In 1↓⍳n
    :If f[i]=i
        j←i×⍳⌊n÷i
        f[j]←f[j]-⌊f[j]÷i
    :EndIf
:EndFor
∇
∇ f←m sums n;i;j
f←m⍴0
:For i :In ⍳n
    j←i×⍳⌊n÷i
    f[j]←f[j]+i
:EndFor
∇
⎕←factors n
⎕←totients n
⎕←n sums k
