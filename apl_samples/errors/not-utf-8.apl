⍝ A file that is not UTF-8: the é of the text is one byte of Latin-1. The position is that of the byte.
⍝ == error 3:7 SYNTAX ERROR: byte 0xE9 is not UTF-8 text
x←'caf�'
