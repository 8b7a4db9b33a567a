⍝ == error 2:7 SYNTAX ERROR: unclosed {
twice←{⍵
  +⍵
