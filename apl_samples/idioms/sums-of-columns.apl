⍝ Sums of the columns of a table in a text. The fields of a line are read where they lie, and which of them are
⍝ numbers is not computed, for nobody asks.
⍝ == input t char 26: '1,2.5,¯3;4, ,x;1e2,.5,0;¯7'
⍝ == output 98 3 ¯3
⍝ == structure {allocs 6}
⎕←+⌿↑{2⊃','⎕VFI ⍵}¨(t≠';')⊆t
