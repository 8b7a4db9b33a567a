⍝ Dyadic ⍟: a⍟b is (⍟b)÷⍟a, hence 1⍟1 is 0÷0, which is 1.
⍝ == output 3
⍝ == output 3
⍝ == output 0 1 2
⍝ == output 4 2
⍝ == output ¯3
⍝ == output 1
⍝ == output
⎕←2⍟8
⎕←10⍟1000
⎕←3⍟1 3 9
⎕←2 4⍟16
⎕←0.5⍟8
⎕←1⍟1
⎕←2⍟⍬
