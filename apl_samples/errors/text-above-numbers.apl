⍝ A column holds texts or numbers. A title above numbers makes texts of them first.
⍝ == error 4:1 UNSUPPORTED: make text of its numbers with ⍕¨
t←↑('ann' 31)('bob' 27)
('name' 'age')⍪t
