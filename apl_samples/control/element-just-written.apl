⍝ A recurrence that takes its last value from what it has just written.
⍝ == input x double 4: 1 2 4 8
⍝ == output 1 2.5 5.25 10.625
⍝ == structure {loops 0, allocs 1}
∇ y←halved x;c;i
y←x×0
c←0
:For i :In ⍳≢x
    y[i]←x[i]+c÷2
    c←y[i]
:EndFor
∇
halved x
