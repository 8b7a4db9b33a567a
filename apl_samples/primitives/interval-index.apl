⍝ Dyadic ⍸: a⍸b is the last position of a, which ascends, with an element not above b; 0 if there is none.
⍝ == input v double 3: 0 0.5 1
⍝ == input w double 4: 0.25 0.5 ¯1 2
⍝ == output 0 1 1 3 3
⍝ == output 1 0 3 2
⍝ == output 2
⍝ == output
⍝ == output 0 0
⍝ == output
⍝ == output 0 1
⍝ == output 1 4 3
⍝ == output 0 1
⍝ == output 1 2
⍝ == output 1 2 0 3
⍝ == output 1
⍝ == output 1 2 0 3
⎕←2 4 6⍸1 2 3 6 7
⎕←10 20 30⍸11 1 31 21
⎕←2 4 6⍸5
⎕←⍴2 4 6⍸5
⎕←⍬⍸5 6
⎕←2 4 6⍸⍬
⎕←(,5)⍸4 5
⎕←'aeiou'⍸'apl'
⎕←2 4⍸2 2⍴⍳4
⎕←0 0.5 1⍸0.25 0.5 ¯1 2
⎕←1 2⍸1.5
⎕←v⍸w
