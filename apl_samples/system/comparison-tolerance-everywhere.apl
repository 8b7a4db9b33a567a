⍝ Under ⎕CT doubles are equal that differ by no more than that fraction of the larger one, in all functions that
⍝ compare: those of sets, searches, order, rounding and remainders; of few elements and of so many that a compiler
⍝ would look for another way.
⍝ == input x double 6: 1 1.00000000001 2 2.0000000005 3 1
⍝ == output 1 1 0 0 0 1
⍝ == output 0 0 1 1 1 0
⍝ == output 0 0 0 0 0 0
⍝ == output 1 1 0 0 0 1
⍝ == output 1 1 1 1 1 1
⍝ == output 0 0 1 1 1 0
⍝ == output 1 0
⍝ == output 1 1 2 2 3 1
⍝ == output 1 1 2 3 3 1
⍝ == output 0 0 0 0
⍝ == output 0 0
⍝ == output 4
⍝ == output 4
⍝ == output 2
⍝ == output 4
⍝ == output 1 1 1 0 0 1
⍝ == output 1 1 2 4 3 1
⍝ == output 1 5 7
⍝ == output 20
⍝ == output 1
⍝ == output 1
⍝ == output 20
⍝ == output 20
⍝ == output 40
⍝ == output 20
⍝ == output 99
⍝ == output 99
⍝ == output 40
⍝ == output 0 0 1
⍝ == output 1 0 1
⍝ == output 1 0 0 1
⍝ == output 0
⎕CT←1E¯10
⎕←x=1
⎕←x≠1
⎕←x<1.00000000001
⎕←x≤1
⎕←x≥1
⎕←x>1
⎕←(x≡x×1+1E¯12),x≡1⌽x
⎕←⌊x-1E¯11
⎕←⌈x+1E¯11
⎕←1 1.00000000001 2 3|6
⎕←(0.1|0.3),x[5]|9+1E¯11
⎕←≢∪x
⎕←≢1 2∪x
⎕←≢x~1 2
⎕←≢x∩1 2
⎕←x∊1 2
⎕←1 2 3⍳x
⎕←x⍳1.00000000001 3 4
y←(40⍴⍳20)×x[1]+1E¯12×⍳40
⎕←≢∪y
⎕←∧/(⍳20)∊y
⎕←(⍳20)≡y⍳⍳20
⎕←≢y~⍳10
⎕←≢y∩⍳10
⎕←+/y=40⍴⍳20
⎕←≢(⍳20)∪y
⎕CT←1E¯14
⎕←≢∪(1+⍳99)÷33
⎕←≢∪x[1]×(1+⍳99)÷33
⎕←≢∪y
⍝ infinity equals nothing but itself
i←1E300×1E300×x[1]
⎕←i=5 1E300,i
⎕←(5<i),(i≤5),i≤i
⍝ of nothing a reduction gives the identity item
⎕←(=/0↑x),(≠/0↑x),(</0↑x),≤/0↑x
⎕←|/0↑x
