⍝ Words that have the same letters in another order are one class.
⍝ == output 3
⍝ == output  listen  silent  enlist  inlets 
⍝ == output 4 2
⍝ == output   listen  silent  enlist  inlets    google    elbow  below  
words←' '(≠⊆⊢)'listen silent enlist google inlets elbow below'
sorted←{⍵[⍋⍵]}¨words
classes←sorted{⊂⍵}⌸words
⎕←≢classes
⎕←⊃classes
⎕←(1<≢¨classes)/≢¨classes
⎕←classes
