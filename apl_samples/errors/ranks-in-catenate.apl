⍝ == error 2:3 RANK ERROR: , needs ranks that differ by one at most
x←(2 2 2⍴0),1 2
