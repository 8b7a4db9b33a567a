⍝ ⎕PP is the number of significant digits of doubles that are printed and formatted.
⍝ == input x double 2: 0.5 1234.5678
⍝ == output 10
⍝ == output 0.3333333333
⍝ == output 0.3333
⍝ == output 0.5 1235
⍝ == output 3.142
⍝ == output 123456789
⍝ == output 0.1429
⍝ == output 0.3333 0.6667
⍝ == output 0.3333 0.6667
⍝ == output 0.10000000000000001
⍝ == output 0.33333333333333331
⍝ == output 0.3
⍝ == output 0.2 2E1
⎕←⎕PP
⎕←÷3
⎕PP←4
⎕←÷3
⎕←x
⎕←○1
⎕←123456789
⎕←⍕÷7
⎕←2 2⍴1 2÷3
⎕PP←17
⎕←0.1
⎕←÷3
⎕PP←1
⎕←÷3
⎕←0.25 17.5
