⍝ A round of a loop needs memory whose size a search of that round tells: it is not allocated in front of the loop.
⍝ == output 0 0 0 0
⍝ == output 1 0 0 0 0
⍝ == output 1 0 0 0 0
{0⊣∪⍳(2 5⍴⍳10)⍳⍳5}¨⍳4
↑{(5↑∪⍳(2 5⍴⍳⍵)⍳⍳5)⊣⍵}¨10+⍳2
