⍝ A Brownian bridge fills a path from its end by halving: each step knows the place, its two neighbours, their weights
⍝ and the deviation, and assigns one element of the path. Four dates, in the order 4 2 1 3. By hand: w4 = 2×z1; then
⍝ w2 = w4÷2 + z2, w1 = w2÷2 + z3÷√2, w3 = (w2+w4)÷2 + z4÷√2.
⍝ == input z double 4: 1 0.5 1.4142135623730951 ¯2.8284271247461903
⍝ == input zero double 4: 0 0 0 0
⍝ == output 1.75 1.5 ¯0.25 2
⍝ == output 0 0 0 0
⍝ == output 1.75 ¯0.25 ¯1.75 2.25
place←4 2 1 3
left←0 0 0 2
right←0 4 2 4
weightL←0 0.5 0.5 0.5
weightR←0 0.5 0.5 0.5
dev←2 1,2⍴0.5*0.5
bridge←{
    z←⍵
    fill←{
        (k path)←⍵
        at←{⍵=0:0 ⋄ ⍵⊃path}
        path[place[k]]←(dev[k]×z[k])+(weightL[k]×at left[k])+weightR[k]×at right[k]
        (k+1)path
    }
    path←4⍴0
    k←1
    2⊃(fill⍣4)k path
}
⎕←bridge z
⎕←bridge zero
⎕←2-⍨/0,bridge z
