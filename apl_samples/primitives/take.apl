⍝ Dyadic ↑ takes from the front, with a negative count from the end; what is missing is filled with 0 or a blank, on
⍝ the side where it is missing. Fewer counts than axes take along the leading axes. A scalar is as good as an
⍝ array of one element.
⍝ == output 1 2
⍝ == output 2 3
⍝ == output 1 2 3 0 0
⍝ == output 0 0 1 2 3
⍝ == output 0
⍝ == output 5 0 0
⍝ == output 0 0 0
⍝ == output 0 0 0
⍝ == output 4
⍝ == output   ab
⍝ == output 1 2
⍝ == output 4 5
⍝ == output 4 5
⍝ == output 7 8
⍝ == output 1 3
⍝ == output 1 2 3
⍝ == output 1 2 3 0
⍝ == output 4 5 6 0
⍝ == output 0 0 1 2 3
⍝ == output 0 0 4 5 6
⍝ == output 0 0 0 0 0
⍝ == output 0.5 1 0 0
⍝ == output 1 0 0
⍝ == output 7 0
⍝ == output 0 0
⍝ == output 1 2
⍝ == output 3 4
⍝ == output 4 5 6
⍝ == output 1 2 3
⎕←2↑1 2 3
⎕←¯2↑1 2 3
⎕←5↑1 2 3
⎕←¯5↑1 2 3
⎕←⍴0↑1 2 3
⎕←3↑5
⎕←3↑⍬
⎕←¯3↑⍬
⎕←⍴4↑'ab'
⎕←¯4↑'ab'
⎕←2 2↑3 3⍴⍳9
⎕←¯2 2↑3 3⍴⍳9
⎕←⍴1↑3 3⍴⍳9
⎕←1↑3 3⍴⍳9
⎕←2 4↑2 3⍴⍳6
⎕←3 ¯5↑2 3⍴⍳6
⎕←4↑0.5 1
⎕←3↑1 0=1
⎕←2 2↑7
⎕←1↑2 2 2⍴⍳8
⎕←¯1↑2 3⍴⍳6
⎕←⍬↑1 2 3
