⍝ == error 3:1 SYNTAX ERROR: a function stands here without an argument
mean←+/÷≢
mean
