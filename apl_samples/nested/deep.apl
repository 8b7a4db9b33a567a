⍝ Results that are arrays of arrays themselves: paragraphs of lines of words, and results that are enclosed.
⍝ == output 4
⍝ == output    the  quick  brown    fox  jumps      over  the    lazy  dog   
⍝ == output  3 2  2 2 
⍝ == output 35
⍝ == output 1 0 1
⍝ == output   the  quick  brown    fox  jumps    over  the    lazy  dog  
⍝ == output  the  quick  brown 
⍝ == output   the  quick    brown  fox  jumps    over  
⍝ == output  3 5  5 3 5  4 
⍝ == output   1    1 2    1 2 3  
⍝ == output 3
⍝ == output  1  1 2  1 2 3 
⍝ == output  1 2 
⍝ == output    1      1 2      1 2 3   
⍝ == output   1  1 2    1 2  1 2 3  
⍝ == output  1 2 3  1 3 2  2 1 3  2 3 1  3 1 2  3 2 1 
⍝ == output 0 1
⍝ == output  the  the  the 
⍝ == output  cat  dog      
words←{' '(≠⊆⊢)⍵}
text←'the quick brown.fox jumps;over the.lazy dog'
p←words¨¨'.'(≠⊆⊢)¨';'(≠⊆⊢)text
⎕←≡p
⎕←p
⎕←≢¨¨p
⎕←+/∊≢¨¨¨p
⎕←(p≡p),(p≡⌽p),p≡⌽⌽p
⎕←⊃,/p
⎕←⊃⊃p
⎕←words¨'the quick' 'brown fox jumps' 'over'
⎕←≢¨¨words¨'the quick' 'brown fox jumps' 'over'
⎕←{⊂⍳⍵}¨⍳3
⎕←≡⊂¨⍳¨⍳3
⎕←↑⊂¨⍳¨⍳3
⎕←2⊃⊂¨⍳¨⍳3
⎕←{⊂⊂⍳⍵}¨⍳3
⎕←{(⍳⍵)(⍳1+⍵)}¨⍳2
permutations←{f←∇ ⋄ 1≥≢⍵:,⊂⍵ ⋄ w←⍵ ⋄ ⊃,/{⍵,¨f w~⍵}¨⍵}
⎕←permutations 1 2 3
⎕←(p≡¯1↓p),p≡{{⍵}¨⍵}¨p
⎕←1 2 1 2 1{⍵}⌸words'the cat the dog the'
