⍝ Updates by a mask read what is kept of other arrays by it; a mask whose length only the run knows has a version.
⍝ == input v double 6: 4 0 ¯2 0.5 8 0
⍝ == input k int 6: 1 3 2 3 1 2
⍝ == input m bool 6: 1 0 1 0 1 0
⍝ == case of one length
⍝ == output 0.25 0 ¯0.5 2 0.125 0
⍝ == output 20 0 ¯2 0.5 20 0
⍝ == output 104 0 98 0.5 108 0
⍝ == output 0 1 0 1.5 0 1
⍝ == case a mask of one element
⍝ == input m bool 1: 1
⍝ == output 0.25 0 ¯0.5 2 0.125 0
⍝ == output 20 0 ¯2 0.5 20 0
⍝ == output 104 100 98 100.5 108 100
⍝ == output 0 0 0 0 0 0
⍝ == case too short
⍝ == input m bool 2: 1 0
⍝ == output 0.25 0 ¯0.5 2 0.125 0
⍝ == output 20 0 ¯2 0.5 20 0
⍝ == error 27:6 LENGTH ERROR: / needs equal lengths, got 2 and 6
⍝ == case no such element
⍝ == input k int 6: 1 3 2 3 4 2
⍝ == output 0.25 0 ¯0.5 2 0.125 0
⍝ == error 26:15 INDEX ERROR: 20 30 40 has no element 4, the length is 3
⎕←w⊣((w≠0)/w)←÷(w≠0)/w←v
⎕←w⊣((v>1)/w)←20 30 40[(v>1)/k]⊣w←v
⎕←w⊣(m/w)+←100⊣w←v
⎕←w⊣((~m)/w)+←1⊣(m/w)←0⊣w←v
