⍝ Items that are not alike, and of which only the run knows how many there are, are there for folds.
⍝ == input n int: 3
⍝ == error 8:3 UNSUPPORTED: ⎕← of unlike items, whose number only the run knows
⍝ == error 9:3 UNSUPPORTED: ⊃ of int and a nested array ([int]1, ⊂<int>3), a vector of unlike items
⍝ == error 10:3 UNSUPPORTED: +\ of a nested array ([int]1, ⊂<int>3)
⍝ == error 11:4 UNSUPPORTED: the initial state is the last item: f/items,⊂state
items ← (⍳n),⊂1 2 3
⎕←items
⎕←2⊃items
⎕←+\items
⎕←⊃+/(⊂1 2),⍳n
