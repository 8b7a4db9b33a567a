⍝ What a function of items does not look at is an error all the same.
⍝ == input v int 1: 7
⍝ == error 4:7 INDEX ERROR: v has no element 2, the length is 1
{1 2}¨v[2 1]
