⍝ Magnitudes and extrema of narrow integers with and without a sign, in lanes as narrow as they are.
⍝ == input u uint8 3: 255 0 7
⍝ == input w uint16 3: 65535 0 9
⍝ == input i int8 3: ¯128 127 ¯1
⍝ == input e uint8 0:
⍝ == json {"type":"int","shape":[3],"data":[255,0,7]}
⍝ == json {"type":"int","shape":[3],"data":[65536,1,10]}
⍝ == json {"type":"int","shape":[3],"data":[128,127,1]}
⍝ == json {"type":"int","shape":[0],"data":[]}
⍝ == json {"type":"int","shape":[3],"data":[-128,9,-1]}
⍝ == json {"type":"int","shape":[],"data":[65535]}
⍝ == json {"type":"int","shape":[3],"data":[255,255,255]}
⎕←|u
⎕←1+|w
⎕←|i
⎕←1+|e
⎕←(u⌈9)⌊i
⎕←⌈/|w,1
⎕←(⊃u)⌈|i
