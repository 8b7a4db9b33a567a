⍝ Two loops that exchange neighbours: one copy of the argument, which is changed where it lies.
⍝ == input v int 6: 5 3 9 1 2 2
⍝ == output 1 2 2 3 5 9
⍝ == structure {allocs 1}
∇ r←sorted r;i;j;n;t
  n←≢r
  :For i :In ⍳n-1
    :For j :In ⍳n-i
      :If r[j]>r[j+1]
        t←r[j] ⋄ r[j]←r[j+1] ⋄ r[j+1]←t
      :EndIf
    :EndFor
  :EndFor
∇
sorted v
