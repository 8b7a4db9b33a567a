⍝ == input a double 2 3: arange
⍝ == input b double 3 2: arange
⍝ == output 10 13
⍝ == output 28 40
⍝ == structure {allocs 3, modulo 0, branches 0}
a+.×b
