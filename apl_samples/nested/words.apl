⍝ Searches among words: positions, membership, differences, the order of the alphabet.
⍝ == output  to  be  or  not  that  is  the  question 
⍝ == output 8
⍝ == output 2 3 11
⍝ == output 1 0
⍝ == output 1 0 0 0 1 0 0 0 0 0
⍝ == output  or  not  that  is  the  question 
⍝ == output  is  the 
⍝ == output  is  it  was 
⍝ == output 1 1 1 1 0 0 1 1 1 1
⍝ == output  be  be  is  not  or  question  that  the  to  to 
⍝ == output  question  that  not  the  to  be  or  to  be  is 
⍝ == output 1
⍝ == output 2 6
⍝ == output 4
w←' '(≠⊆⊢)'to be or not to be that is the question'
⎕←∪w
⎕←≢∪w
⎕←w⍳'be' 'or' 'was'
⎕←'be' 'was'∊w
⎕←w∊⊂'to'
⎕←w~'to' 'be'
⎕←w∩'is' 'the'
⎕←'is' 'it'∪'it' 'was'
⎕←≠w
⎕←w[⍋w]
⎕←w[⍒≢¨w]
⎕←w≡⌽⌽w
⎕←(w≡¨⊂'be')/⍳≢w
⎕←+/w∊'be' 'to'
