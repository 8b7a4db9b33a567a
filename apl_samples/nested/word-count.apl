⍝ The words of a text, each once, and how often they occur, the most frequent first.
⍝ == output  it  was  the  of  times  best  worst 
⍝ == output 2 2 2 2 2 1 1
⍝ == output it   
⍝ == output was  
⍝ == output the  
⍝ == output of   
⍝ == output times
⍝ == output best 
⍝ == output worst
⍝ == output 5
⍝ == output 2 2 2 1 2 2 1
text←'it was the best of times it was the worst of times'
words←' '(≠⊆⊢)text
unique←∪words
counts←{≢⍵}⌸words
order←⍒counts
⎕←unique[order]
⎕←counts[order]
⎕←↑unique[order]
⎕←⌈/≢¨unique
⎕←≢¨{⊂⍵}⌸words
