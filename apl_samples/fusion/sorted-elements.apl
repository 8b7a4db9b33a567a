⍝ A vector at the positions of its own grade is sorted where it lies: no positions are written.
⍝ == output ¯5 1 2 3 7
⍝ == output 7 3 2 1 ¯5
⍝ == output ¯5 1
⍝ == output ehllo
⍝ == output  3 1  7 2 ¯5 
v←3 1 2 7 ¯5
⎕←v[⍋v]
⎕←v[⍒v]
⎕←2↑v[⍋v]
⎕←{⍵[⍋⍵]}'hello'
⎕←{⍵[⍒⍵]}¨1 0 1 0 0⊂3 1 2 7 ¯5
