⍝ A byte-order mark at the start and carriage returns at the ends of lines are no part of the program.
⍝ == output 3
1+2
