⍝ Numbers as they may be written, and as they are printed: ten digits, scaled when they are very large or small.
⍝ == output 42 ¯3
⍝ == output 0.5
⍝ == output 0.001 1000000
⍝ == output 5 ¯0.5
⍝ == output 1E10 123456789.1
⍝ == output 0.000001 1E¯7
⍝ == output 9223372036854775807
⍝ == output 9.223372037E18
⍝ == output 0.3333333333
⍝ == output 7 8 9
⎕←42 ¯3
⎕←.5
⎕←1e¯3 1E6
⎕←5. ¯.5
⎕←1e10 123456789.123
⎕←0.000001 0.0000001
⎕←9223372036854775807
⎕←9223372036854775808     ⍝ does not fit an integer: a double
⎕←1÷3
⎕←07 8 9
