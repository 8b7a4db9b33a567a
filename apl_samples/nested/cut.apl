⍝ ⊂ begins an item at each 1, ⊆ one where the numbers rise; what belongs to a 0 is left out.
⍝ == output  abc  de 
⍝ == output  bc  de 
⍝ == output  ab    cde 
⍝ == output 0
⍝ == output  ab  cde 
⍝ == output  ab  de 
⍝ == output  ab  cde 
⍝ == output 0
⍝ == output  the  quick  brown  fox 
⍝ == output 3 5 5 3
⍝ == output  1 1  2  3 3 3 
⍝ == output  1 2  2 3  3 4 
⍝ == output  1  1 2  1 2 3 
⍝ == output  1 2  3 4 
⍝ == output 0 0 0 0
⎕←1 0 0 1 0⊂'abcde'
⎕←0 1 0 1 0⊂'abcde'
⎕←1 0 2 0 0⊂'abcde'
⎕←≢0 0⊂1 2
⎕←1 1 2 2 2⊆'abcde'
⎕←1 1 0 1 1⊆'abcde'
⎕←2 1 2 1 1⊆'abcde'
⎕←≢0 0⊆1 2
text←'the quick  brown fox'
⎕←' '(≠⊆⊢)text
⎕←≢¨' '(≠⊆⊢)text
⎕←(1,2≠/1 1 2 3 3 3)⊂1 1 2 3 3 3
⎕←2,/⍳4
⎕←,\⍳3
⎕←,/2 2⍴⍳4
⎕←{+/¨⍵,/⍳3}≢⍬
