⍝ The error stands at ⍺, and the message shows the call.
⍝ == error 3:6 VALUE ERROR: ⍺ is not defined: the function has no left argument
add←{⍺+⍵}
add 3
