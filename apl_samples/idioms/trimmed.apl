⍝ Blanks in front of a text, behind it, and both, taken off or counted in the ways that one finds. `∧\` and `∨\` of a
⍝ condition are known by the first place where it fails, or holds.
⍝ == input t char 14: '  an apl text '
⍝ == output an apl text ⊣
⍝ == output   an apl text⊣
⍝ == output an apl text⊣
⍝ == output an apl text ⊣
⍝ == output   an apl text⊣
⍝ == output   an apl text⊣
⍝ == output 2 1 1 3 2
⍝ == output 1 2
⍝ == output 4 7 5
b←' '≠t
⎕←((∨\b)/t),'⊣'
⎕←((⌽∨\⌽b)/t),'⊣'
⎕←(((∨\b)∧⌽∨\⌽b)/t),'⊣'
⎕←((+/∧\' '=t)↓t),'⊣'
⎕←((-+/∧\⌽' '=t)↓t),'⊣'
⎕←((1-(' '=t)⊥1)↓t),'⊣'
⎕←(+/∧\~b),(+/∧\⌽~b),(⊥⍨~b),((∧\~b)⍳0),((∨\b)⍳1)-1
⎕←⍸∧\~b
v←3 4 ¯1 5
⎕←(⌈/v×∧\v>0),(+/v×∧\v>0),¯1↑(∨\v<0)/v
