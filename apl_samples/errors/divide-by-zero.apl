⍝ 0÷0 is 1, any other number divided by zero is an error.
⍝ == output 1
⍝ == error 5:1 DOMAIN ERROR: ÷ divides by zero
⎕←0÷0
1÷0
