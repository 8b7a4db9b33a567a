⍝ Scans of items are the reductions of all prefixes, right to left; a function on cells may give enclosed values.
⍝ == output  1 2  4 6  9 12 
⍝ == output  abc  abcde  abcdef1 
⍝ == output  0 0  1 0  1 1  2 1 
⍝ == output  ab  ab-cd  ab-cd-ef 
⍝ == output  1 2  ¯2 ¯2  3 4 
⍝ == output 0
⍝ == output 2
⍝ == output  1  1 1 2  1 1 2 1 2 3 
⍝ == output  3 3  6 6  9 9 
⍝ == output  1 2 
⍝ == output  1 2 3  4 5 6 
⍝ == output  3 2 1  6 5 4 
⍝ == output  1 3  5 
⍝ == output  2 3 1  3 2 1 
⍝ == output 2 2
⍝ == output  ab  c  de 
⍝ == output  ab  c  de 
⍝ == output  1 1 2  2 3 4 
⍝ == output  1  1 2  1 2 3 
⍝ == output  1 2 3   7  8  9 
⍝ == output  4 5 6  10 11 12 
⍝ == output 0
⎕←+\(1 2)(3 4)(5 6)
⎕←,\'abc' 'de' 'f1'
⎕←+\(0 0)(1 0)(0 1)(1 0)
⎕←{⍺,'-',⍵}\'ab' 'cd' 'ef'
⎕←-\(1 2)(3 4)(5 6)
⎕←≢+\0⍴⊂1 2
⎕←≢∪+\(1 0)(¯1 0)(1 0)
⎕←,\⍳¨⍳3
⎕←+⍀2+¨3⍴⊂1 1
⎕←,\⊂1 2
⎕←⊂⍤1⊢2 3⍴⍳6
⎕←(⊂⌽)⍤1⊢2 3⍴⍳6
⎕←{⊂⍵/⍨2|⍵}⍤1⊢2 3⍴⍳6
⎕←(⊂⍋)⍤1⊢2 3⍴3 1 2 6 5 4
⎕←⍴⊂⍤1⊢2 2 3⍴⍳12
⎕←{' '(≠⊆⊢)⍵}⍤1⊢2 7⍴'ab c de'
⎕←1 2{⊂⍺,⍵}⍤0 1⊢2 2⍴⍳4
⎕←{⊂⍳⍵}⍤0⊢1 2 3
⎕←⊂⍤2⊢2 2 3⍴⍳12
⎕←⍴⊂⍤1⊢0 3⍴0
