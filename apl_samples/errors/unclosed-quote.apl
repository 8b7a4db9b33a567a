⍝ == error 3:9 SYNTAX ERROR: unclosed quote
ok←'text'
x←'no',,'end
