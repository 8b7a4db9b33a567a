⍝ How long runs of equal elements are. Where they begin is kept as positions: marks that are truth values are no counts, so
⍝ nothing is repeated, and the marks are in no memory.
⍝ == input v int 10: 3 3 3 1 2 2 2 2 5 5
⍝ == output 3 1 4 2
⍝ == structure {allocs 2, modulo 0}
≢¨(1,2≠/v)⊂v
