⍝ Searches among arrays: items are equal if their shapes and all their elements are.
⍝ Of words in order a shorter one stands before a longer one that begins with it, and equal ones stay in order
⍝ both ways. Numbers are compared within ⎕CT: 3×0.1 is 0.3 nearly. The shapes of matrices count: a column of two
⍝ is no row of two. In an order what a matrix lacks stands first: the column has nothing at its second place.
⍝ Simple scalars equal no arrays: the letters of a word are none of its items.
⍝ == output 3 4 1 5 2
⍝ == output 2 1 5 4 3
⍝ == output  ant  box  am  an 
⍝ == output 1 1 1 1 0
⍝ == output 2 4 1 6
⍝ == output 1 0 1 0
⍝ == output  ant  am  an  ant 
⍝ == output  an 
⍝ == output  an  ox  box 
⍝ == output 1 1 0
⍝ == output 1 2 1
⍝ == output 2 1
⍝ == output 1
⍝ == output 3 2 1
⍝ == output 1 2 3
⍝ == output 1 2 2 1
⍝ == output 2 3 1 4
⍝ == output 6 6
⍝ == output 0 0 0
⍝ == output  ant  box  am  an  ant 
⍝ == output 0
⍝ == output ant
⍝ == output 1 0
words←'ant' 'box' 'am' 'an' 'ant'
⎕←⍋words
⎕←⍒words
⎕←∪words
⎕←≠words
⎕←words⍳'box' 'an' 'ant' 'ox'
⎕←'box' 'ox' 'an' ''∊words
⎕←words~'box' 'ox'
⎕←'an' 'ox'∩words
⎕←'an' 'ox'∪'box' 'an'
numbers←(0.3 1)(2 3)((3×0.1),1)
⎕←≠numbers
⎕←numbers⍳numbers
⎕←{≢⍵}⌸numbers
⎕←numbers≡numbers[1 2 1]
tables←(2 2⍴⍳4)(1 2⍴1 2)(2 1⍴1 2)
⎕←⍋tables
⎕←⍒tables
deep←('to' 'be')('or' 'not')('or' 'not')('to' 'be')
⎕←deep⍳deep
⎕←⍋deep
⎕←words⍳1 2
⎕←'abc'∊words
⎕←words~'ant'
⎕←≢words∩'ant'
⎕←'ant'~words
⎕←(≢(⊂1 2)~1 2),≢(⊂1 2)∩1 2
