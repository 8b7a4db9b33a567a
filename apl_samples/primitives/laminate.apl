⍝ A fraction between [ ] joins along a new axis: [0.5] makes it the first, [1.5] the second; any fraction will do.
⍝ == input v double 2: 2.5 3
⍝ == input m int 2 2: 1 2 3 4
⍝ == output 1 2 3
⍝ == output 4 5 6
⍝ == output 1 4
⍝ == output 2 5
⍝ == output 3 6
⍝ == output 1 2 3
⍝ == output 4 5 6
⍝ == output ab
⍝ == output cd
⍝ == output ac
⍝ == output bd
⍝ == output 1 2
⍝ == output 0 0
⍝ == output 0 1
⍝ == output 0 2
⍝ == output 1   2
⍝ == output 0.5 1
⍝ == output 2 3 4
⍝ == output 3 2 4
⍝ == output 3 4 2
⍝ == output 1 2
⍝ == output 3 4
⍝ == output
⍝ == output 9 9
⍝ == output 9 9
⍝ == output 2 0
⍝ == output 2.5 3
⍝ == output 2.5 3
⍝ == output 2.5 0
⍝ == output 3   0
⍝ == output 1 ¯1
⍝ == output 2 ¯2
⍝ == output
⍝ == output 3 ¯3
⍝ == output 4 ¯4
⎕←1 2 3,[0.5]4 5 6
⎕←1 2 3,[1.5]4 5 6
⎕←1 2 3⍪[0.1]4 5 6
⎕←'ab',[0.5]'cd'
⎕←'ab',[1.9]'cd'
⎕←1 2,[0.5]0
⎕←0,[1.5]1 2
⎕←1 2,[0.5]0.5 1
⎕←⍴(3 4⍴0),[0.5]3 4⍴1
⎕←⍴(3 4⍴0),[1.5]3 4⍴1
⎕←⍴(3 4⍴0),[2.5]3 4⍴1
⎕←(2 2⍴⍳4),[0.5]9
⎕←⍴⍬,[0.5]⍬
⎕←v,[0.5]v
⎕←v,[1.5]0
⎕←m,[2.5]-m
