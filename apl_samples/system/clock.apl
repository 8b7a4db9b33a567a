⍝ ⎕TS is year, month, day, hour, minute, second, millisecond; ⎕NOW counts milliseconds and never goes back.
⍝ == output 7
⍝ == output 1
⍝ == output 1 1 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 1
⎕←⍴⎕TS
t←⎕TS
⎕←t[1]>2023
⎕←(t[2]∊⍳12),(t[3]∊⍳31),t[4]∊¯1+⍳24
⎕←∧/(60>t[5 6]),1000>t[7]
⎕←∧/t≥0
⎕←t≡⌊t
a←⎕NOW
s←+/÷⍳10000
b←⎕NOW
⎕←0≤b-a
⎕←60000>b-a
⎕←⍴⍴⎕NOW
⎕←s>9
