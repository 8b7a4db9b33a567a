⍝ Monadic ⍕ is the text that is printed. Of a matrix it is a matrix, with as many columns as its rows are wide.
⍝ == input n int: ¯7
⍝ == input v double 2: 0.5 3
⍝ == output 42
⍝ == output 2
⍝ == output 1
⍝ == output 4
⍝ == output 1 2.5 ¯3
⍝ == output 321
⍝ == output x12
⍝ == output 1
⍝ == output abc
⍝ == output 3
⍝ == output 0
⍝ == output 1
⍝ == output   1   10
⍝ == output 100 1000
⍝ == output 2 8
⍝ == output 2 2 3
⍝ == output 1E10 0.25
⍝ == output ¯7!
⍝ == output <0.5 3>
⎕←⍕42
⎕←⍴⍕42
⎕←⍴⍕5
⎕←⍴⍕¯3.5
⎕←⍕1 2.5 ¯3
⎕←⌽⍕123
⎕←'x',⍕12
⎕←'0.3333333333'≡⍕1÷3
⎕←⍕'abc'
⎕←⍴⍕'abc'
⎕←⍴⍕⍬
⎕←⍕1=1
⎕←⍕2 2⍴1 10 100 1000
⎕←⍴⍕2 2⍴1 10 100 1000
⎕←⍴⍕2 2 2⍴⍳8
⎕←⍕1E10 0.25
⎕←(⍕n),'!'
⎕←'<',(⍕v),'>'
