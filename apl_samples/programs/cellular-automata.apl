⍝ Cellular automata on a line: the three cells above are an index into the rule's digits in base 2. Rule 90 draws
⍝ Sierpiński's triangle, rule 30 is said to be random.
⍝ == input n int: 7
⍝ == output 0 0 0 0 0 0 1 0 1 0 0 0 0 0 0
⍝ == output 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
⍝ == output 1 1 0 1 1 1 1 0 0 1 1 1 1 1 1
⍝ == output 0 0 0 0 1 1 0 1 0 0 0 0 0 0 0
⍝ == output 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1
⍝ == output        #
⍝ == output       # #
⍝ == output      #   #
⍝ == output     # # # #
⍝ == output    #       #
⍝ == output   # #     # #
⍝ == output  #   #   #   #
⍝ == output # # # # # # # #
next←{(⌽(8⍴2)⊤⍺)[1+(4×¯1⌽⍵)+(2×⍵)+1⌽⍵]}
start←0+8=⍳15
⎕←90 next start
⎕←90(next⍣n)start
⎕←30(next⍣n)start
⎕←110(next⍣3)start
rule90←{(¯1⌽⍵)≠1⌽⍵}
⎕←(rule90⍣n)1=start
history←{m←⍵ ⋄ m⍪90 next m[≢m;]}
⎕←' #'[1+(history⍣7)1 15⍴start]
