⍝ Dyadic ⍷ marks where the left argument begins in the right one. Finds may overlap; nothing is found everywhere. An
⍝ array of lower rank is looked for in the last axes, one of higher rank is not found.
⍝ == input t char 6: 'banana'
⍝ == input v int 6: 1 2 1 2 1 2
⍝ == input p int 2: 1 2
⍝ == output 0 1 0 1 0 0
⍝ == output 0 1 0 1 0 0
⍝ == output 1 1 1 0
⍝ == output 0 1 0 1 0 1
⍝ == output 0 0 0
⍝ == output 1 1 1
⍝ == output 1 0 1 0
⍝ == output 1 0
⍝ == output 0 0
⍝ == output
⍝ == output 1
⍝ == output 0 0 1 0 0 0
⍝ == output 1 0 1 0 1 0
⎕←'an'⍷'banana'
⎕←'ana'⍷'banana'
⎕←'aa'⍷'aaaa'
⎕←'a'⍷'banana'
⎕←'abcd'⍷'abc'
⎕←''⍷'abc'
⎕←1 2⍷1 2 1 2
⎕←1.0⍷1 2
⎕←'a'⍷1 2
⎕←1 2⍷⍬
⎕←5⍷5
⎕←'nan'⍷t
⎕←p⍷v
