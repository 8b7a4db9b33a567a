⍝ One transform by stages, of an array that only the run knows. In memory are the rows, those of the next stage, the roots
⍝ and the half that is turned by them.
⍝ == structure {allocs 4, modulo 0, branches 0}
⍝ == case eight
⍝ == input x complex 8: 1J2 3 4J¯1 0 5 2J2 1 7
⍝ == output 23J3 ¯0.7573593129J1.828427125 3J5 ¯10.07106781J10.65685425 ¯1J¯1 ¯9.242640687J¯3.828427125 ¯1J1 4.071067812J¯0.6568542495
⍝ == case one
⍝ == input x complex 1: 3J1
⍝ == output 3J1
stage←{
    half←⌊2÷⍨≢⍵
    turned←(half↓⍵)×[2]*0J¯1×○(¯1+⍳l)÷l←2⊃⍴⍵
    ((half↑⍵)+turned),(half↑⍵)-turned
}
⎕←,stage⍣(⌊0.5+2⍟≢x)⍪x
