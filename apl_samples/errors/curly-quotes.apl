⍝ What a word processor makes of quotes.
⍝ == error 3:3 SYNTAX ERROR: curly quotes
x←‘text’
