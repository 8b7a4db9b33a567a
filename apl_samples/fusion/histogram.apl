⍝ How often each key occurs, in one walk over the keys: that what they are compared with is known does not hide that it goes in steps.
⍝ == input v int 6: 5 0 9 0 5 10
⍝ == output 2 0 0 0 0 2 0 0 0 1
⍝ == structure {loops 5, allocs 1}
+/(¯1+⍳10)∘.=v
