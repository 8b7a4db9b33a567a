⍝ Diamonds and newlines separate statements, empty ones do not count, and a comment ends with its line. A statement
⍝ whose value is not assigned is printed, like what ⎕← gets; an assignment is not.
⍝ == output 1
⍝ == output 2
⍝ == output 3
⍝ == output 7
⍝ == output 9
⍝ == output 5
1 ⋄ 2 ⋄ x←10 ⋄ ⋄
⍝ a comment ⋄ 99

3 ⍝ another
y←4⋄x←y+3⋄x
2 + y←7
z←y-2 ⋄ z
