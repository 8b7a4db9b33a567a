⍝ Which function it is may be data; a whole double will do.
⍝ == input x double 2: 0.5 0
⍝ == case sine and cosine
⍝ == input k int 2: 1 2
⍝ == input d double: 4
⍝ == output 0.4794255386 1
⍝ == output 0.4794255386 0.8775825619
⍝ == output 1.118033989 1
⍝ == case back
⍝ == input k int 2: ¯1 ¯7
⍝ == input d double: ¯3
⍝ == output 0.5235987756 0
⍝ == output 0.5235987756 0.5493061443
⍝ == output 0.463647609 0
⍝ == case hyperbolic
⍝ == input k int 2: 5 7
⍝ == input d double: 6
⍝ == output 0.5210953055 0
⍝ == output 0.5210953055 0.4621171573
⍝ == output 1.127625965 1
⎕←k○x
⎕←k○0.5
⎕←d○x
