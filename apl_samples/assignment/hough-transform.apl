⍝ The Hough transform: lines through the points of a picture, by angle and distance. The places that are counted are computed
⍝ in lanes for a point at a time, and then go up by one each.
⍝ == input at int 20: arange
⍝ == output 20 44 16
⍝ == structure {loops 10, simd 4, allocs 1}
angles←(○1)×(¯1+⍳60)÷60
distances←30
votes←(60×1+2×distances)⍴0
vote←{r←⌊0.5+distances+(⍵×2○angles)+(20-⍵)×1○angles ⋄ votes[(⍳60)+60×r]+←1 ⋄ 0}
_←vote¨at
peak←votes⍳⌈/votes
⎕←(⌈/votes),(⌊(peak-1)÷60),60|peak
