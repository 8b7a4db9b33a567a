⍝ Dyadic ~ keeps what of x is not in y.
⍝ == input v int 4: 1 2 2 5
⍝ == input w int 2: 2 9
⍝ == output 1 3
⍝ == output b
⍝ == output 5
⍝ == output 0
⍝ == output 1 2
⍝ == output 0
⍝ == output abc
⍝ == output 1
⍝ == output 1 5
⎕←1 2 3 2~2
⎕←'banana'~'an'
⎕←5~6
⎕←⍴5~5
⎕←1 2~⍬
⎕←⍴⍬~1
⎕←'abc'~1
⎕←1 2.5~2.5
⎕←v~w
