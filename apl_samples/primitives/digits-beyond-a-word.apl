⍝ Radices that are one power of two again and again, as many as the run says, give bits of the number; what is
⍝ beyond its highest bit is like its sign.
⍝ == input n int: 5
⍝ == output 0 0 1 1 1
⍝ == output 1 1 0 1 1
⍝ == output 0 0 0 0 7
⍝ == output 7 7 7 7 3
⍝ == output 7 7 7
⍝ == output 31 31 31
⍝ == output 1 63
⍝ == output 18
⍝ == output 80
⎕←(n⍴2)⊤7
⎕←(n⍴2)⊤¯5
⎕←(n⍴8)⊤7
⎕←(n⍴8)⊤¯5
⎕←3↑((4×n)⍴8)⊤¯1
⎕←3↑(13⍴32)⊤n-6
⎕←(+⌿(64⍴2)⊤2*n),+/((64-n-5)⍴2)⊤¯2
⎕←+/(⍳n)+.×(n⍴2)⊤¯1+⍳4
⎕←+/,((2*n)⍴2)⊤¯1+⍳2*n
