⍝ Vectors as sets: membership, equality, inclusion, symmetric difference, counting.
⍝ == input a int 4: 1 3 5 7
⍝ == input b int 4: 7 3 2 9
⍝ == output 1 3 5 7 2 9
⍝ == output 3 7
⍝ == output 1 5
⍝ == output 1 5 2 9
⍝ == output 1 5 2 9
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 2
⍝ == output 4 2 5 5
⍝ == output 1 1 0 0
⍝ == output 1
⍝ == output 1
⍝ == output 6
⍝ == output 0
⍝ == output llo
⍝ == output helo
⍝ == output 1
⍝ == output 1 1
⎕←a∪b
⎕←a∩b
⎕←a~b
⎕←(a~b),b~a
⎕←(a∪b)~a∩b
⎕←∧/a∊b
⎕←∧/3 7∊a
⎕←∨/a∊b
⎕←+/a∊b
⎕←a⍳b
⎕←(a⍳b)≤≢a
⎕←{∧/⍵[⍋⍵]=⌽⍵[⍒⍵]}b
⎕←a{(∧/⍺∊⍵)∧∧/⍵∊⍺}⌽a
⎕←(≢∪)a,b
⎕←(⊢≡∪)a,a
⎕←'hello'∩'world'
⎕←∪'hello'
⎕←3∊a
⎕←'ab'∊'abc'
