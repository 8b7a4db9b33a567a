⍝ Dyadic ○: the left argument says which function. 1 2 3 are sine, cosine and tangent, 5 6 7 the hyperbolic ones, with
⍝ a minus the inverse ones. 0○x is (1-x*2)*0.5, 4○x is (1+x*2)*0.5, and ¯4○x is (x+1)×((x-1)÷x+1)*0.5, which has the
⍝ sign of x, and is 0 for ¯1.
⍝ == output 0.8660254038 0.4794255386 0.8775825619 0.5463024898
⍝ == output 1.118033989 0.5210953055 1.127625965 0.4621171573
⍝ == output 0.5235987756 1.047197551 0.463647609
⍝ == output 0.4812118251 0.5493061443
⍝ == output 1.316957897 0
⍝ == output 1.732050808 0 0 ¯1.732050808
⍝ == output 0
⍝ == output 0 1 0
⍝ == output 0.5403023059 ¯0.4161468365 ¯0.9899924966
⍝ == output 0 0.8414709848
⍝ == output 1 0.5403023059
⍝ == output
⍝ == output
⍝ == output 0
⎕←0 1 2 3○0.5
⎕←4 5 6 7○0.5
⎕←¯1 ¯2 ¯3○0.5
⎕←¯5 ¯7○0.5
⎕←¯6○2 1
⎕←¯4○2 1 ¯1 ¯2
⎕←1○0
⎕←0○1 0 ¯1
⎕←2○1 2 3
⎕←1 2∘.○0 1
⎕←1○⍬
⎕←⍬○1
⎕←1.0○0
