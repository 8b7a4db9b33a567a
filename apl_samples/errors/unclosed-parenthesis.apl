⍝ The error stands at the opening one; the line below is read as if the mistake had not been made.
⍝ == error 3:3 SYNTAX ERROR: unclosed (
x←(1+2
x×3
