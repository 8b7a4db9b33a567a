⍝ Run-length encoding: where runs begin, their values and lengths; and back by replication.
⍝ == input v int 9: 5 5 5 2 2 7 5 5 5
⍝ == output 1 0 0 1 0 1 1 0 0
⍝ == output 5 2 7 5
⍝ == output 3 2 1 3
⍝ == output 5 5 5 2 2 7 5 5 5
⍝ == output 1
⍝ == output 3
⍝ == output 5 3
⍝ == output 2 2
⍝ == output 7 1
⍝ == output 5 3
⍝ == output 1 1 1 2 2 3 4 4 4
⍝ == output 1
starts←{1,2≠/⍵}
values←{(starts ⍵)/⍵}
lengths←{2-⍨/(⍸starts ⍵),1+≢⍵}
⎕←starts v
⎕←values v
⎕←lengths v
⎕←(lengths v)/values v
⎕←v≡(lengths v)/values v
⎕←⌈/lengths v
⎕←(values,[1.5]lengths)v
⎕←+\starts v
⎕←(1/lengths v)≡lengths v
