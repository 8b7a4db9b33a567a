⍝ What masks keep of narrow elements: sums are products with the mask, and of floats that become doubles whole
⍝ vectors are packed.
⍝ == input m bool 9: 1 0 1 1 0 1 0 0 1
⍝ == input b int8 9: 127 ¯128 5 6 7 8 9 10 ¯3
⍝ == input f float32 9: 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5
⍝ == input one bool 1: 1
⍝ == input k int: 1
⍝ == json {"type":"int","shape":[],"data":[143]}
⍝ == json {"type":"int","shape":[],"data":[286]}
⍝ == json {"type":"int","shape":[],"data":[41]}
⍝ == json {"type":"int","shape":[],"data":[0]}
⍝ == json {"type":"int","shape":[],"data":[127]}
⍝ == json {"type":"int","shape":[],"data":[22314]}
⍝ == json {"type":"double","shape":[6],"data":[0.5,2.5,3.5,5.5,8.5,0.1]}
⍝ == json {"type":"double","shape":[10],"data":[1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5,0.5,0.25]}
⍝ == json {"type":"double","shape":[],"data":[1590.5]}
⍝ == json {"type":"int","shape":[1],"data":[389]}
⍝ == json {"type":"double","shape":[3],"data":[8.5,0.5,0.1]}
⍝ == json {"type":"int","shape":[],"data":[127]}
⍝ == json {"type":"double","shape":[],"data":[-0.75]}
⍝ == json {"type":"double","shape":[],"data":[2789.25]}
⍝ == json {"type":"double","shape":[],"data":[8.5]}
⍝ == json {"type":"double","shape":[],"data":[1.5]}
⍝ == json {"type":"double","shape":[],"data":[-1.7976931348623157e+308]}
⍝ == json {"type":"double","shape":[],"data":[76500.0]}
⎕←+/m/b
⎕←+/m/2×b
⎕←+/one/b
⎕←+/(~one)/b
⎕←⌈/m/b
long←700⍴b
⎕←+/(700⍴m)/long×2
⎕←(m/f),0.1
⎕←(k⌽one/f),0.25
⎕←+/(700⍴m)/700⍴f
⎕←⍴(700⍴m)/700⍴f
⎕←3↓¯6↑(k⊖m/f),0.1
⎕←⌈/(700⍴m)/long
⎕←⌊/(700⍴m)/long÷4
⎕←+/(700⍴m)/long÷4
⎕←⌈/(700⍴m)/700⍴f
⎕←⌊/(700⍴~m)/700⍴f
⎕←⌈/(700⍴0)/700⍴f
⎕←⌈/(9000⍴m)/(9000⍴f)×⍳9000
