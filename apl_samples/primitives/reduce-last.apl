⍝ f/ puts f between the elements of the last axis and evaluates right to left: ÷/1 2 3 4 is 1÷2÷3÷4, 0.375.
⍝ One element is the result itself, of its own type; a scalar stays as it is.
⍝ == output 10
⍝ == output ¯2
⍝ == output 4
⍝ == output 0.375
⍝ == output 512
⍝ == output 2
⍝ == output 0
⍝ == output 0
⍝ == output 1
⍝ == output 5 1
⍝ == output 120
⍝ == output 0 1
⍝ == output 1
⍝ == output 0
⍝ == output 5
⍝ == output 5
⍝ == output
⍝ == output 2
⍝ == output 6 15
⍝ == output 2 5
⍝ == output  3  7
⍝ == output 11 15
⍝ == output 60
⍝ == output 2
⍝ == output 3
⍝ == output 5 5 5 5
⎕←+/1 2 3 4
⎕←-/1 2 3 4
⎕←÷/6 3 2
⎕←÷/1 2 3 4
⎕←*/2 3 2
⎕←|/3 5 7          ⍝ 3|5|7 is 3|2
⎕←</1 0 1          ⍝ 1<0<1 is 1<1
⎕←=/1 1 0          ⍝ 1=1=0 is 1=0
⎕←≠/1 1 1          ⍝ 1≠1≠1 is 1≠0
⎕←(⌈/3 1 5),⌊/3 1 5
⎕←×/⍳5
⎕←(∧/1 1 0),∨/0 0 1
⎕←⍲/1 1 1          ⍝ 1⍲1⍲1 is 1⍲0
⎕←⍱/0 0 0          ⍝ 0⍱0⍱0 is 0⍱1
⎕←+/5
⎕←+/,5
⎕←⍴+/,5
⎕←+/1=1 1 2
⎕←+/2 3⍴⍳6
⎕←-/2 3⍴⍳6         ⍝ 1-2-3 and 4-5-6
⎕←+/2 2 2⍴⍳8
⎕←∧/4 6 10
⎕←∨/12 18 8
⎕←⍟/2 8
⎕←(÷/,5),(-/,5),(</,5),=/,5
