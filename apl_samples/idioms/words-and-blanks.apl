⍝ Blanks in texts: leading, trailing, doubled; counting and finding words.
⍝ == input t char 18: '  to be  or not   '
⍝ == output [to be  or not   ]
⍝ == output [  to be  or not]
⍝ == output [  to be  or not]
⍝ == output [ to be or not]
⍝ == output 4
⍝ == output 4
⍝ == output tobeornot
⍝ == output tobeornot
⍝ == output 2
⍝ == output to be  or not
⍝ == output 4
⍝ == output 10
⍝ == output be
⎕←'[',((∨\t≠' ')/t),']'
⎕←'[',((-+/∧\⌽t=' ')↓t),']'
⎕←'[',((⌽∨\⌽t≠' ')/t),']'
⎕←'[',(((t≠' ')∨1⌽t≠' ')/t),']'
⎕←+/(t≠' ')>' '≠¯1⌽t
⎕←+/1 0⍷t≠' '
⎕←(t≠' ')/t
⎕←t~' '
⎕←+/∧\t=' '
⎕←(+/∧\t=' ')⌽t
⎕←+/t∊'aeiou'
⎕←⍸'or'⍷t
⎕←'be'{⍵[(⍸⍺⍷⍵)+¯1+⍳≢⍺]}t
