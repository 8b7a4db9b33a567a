⍝ Numbers in steps are checked at their two ends; the first one that is wrong is reported, and no number is never wrong.
⍝ == input k int: 7
⍝ == input n int: 2
⍝ == case inside
⍝ == output 5 3
⍝ == output 1 2 3 4 5 6 7 ¯1 ¯2
⍝ == structure {loops 3, allocs 1, modulo 0}
⍝ == case up to the beginning, and beyond the end
⍝ == input n int: 3
⍝ == output 5 3 1
⍝ == error 33:1 INDEX ERROR: x has no element 10, the length is 9
⍝ == case beyond the beginning
⍝ == input k int: 4
⍝ == input n int: 3
⍝ == error 32:3 INDEX ERROR: x has no element 0, the length is 9
⍝ == case wrong from the start
⍝ == input k int: 20
⍝ == error 32:3 INDEX ERROR: x has no element 18, the length is 9
⍝ == case far below
⍝ == input k int: ¯9223372036854775808
⍝ == error 32:3 INDEX ERROR: x has no element 9223372036854775806, the length is 9
⍝ == case none
⍝ == input k int: 100
⍝ == input n int: 0
⍝ == output
⍝ == output 1 2 3 4 5 6 7 8 9
⍝ == case many
⍝ == input k int: 9
⍝ == input n int: 9
⍝ == error 32:3 INDEX ERROR: x has no element ¯1, the length is 9
x←⍳9
⎕←x[k-2×⍳n]
x[k+⍳n]←-⍳n
⎕←x
