⍝ Records and elements of tables replaced by index, where data says which. A field gets the type that holds all its
⍝ values: a half among whole numbers makes it one of doubles.
⍝ == input i int : 2
⍝ == output   ann  31   bobby  28   cy  45
⍝ == output   x  1   bobby  28   yy  2.5
⍝ == output  ann  32
⍝ == output  zed  99
⍝ == output  cy   46
⍝ == output  row   5
⍝ == output  zed  99
⍝ == output  cy   46
⍝ == output 150
people←('ann' 31)('bob' 27)('cy' 45)
people[i]←⊂'bobby' 28
people
changed←people
changed[1,1+i]←('x' 1)('yy' 2.5)
changed
t←↑people
t[;2]+←1
t[i;]←'zed' 99
t
t[1;]←'row' 5
t
+/t[;2]
