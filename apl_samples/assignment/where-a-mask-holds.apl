⍝ Updates of what a mask chooses ask each element, and need no list of places, unless somebody wants that.
⍝ == input v int 9: 3 ¯1 4 ¯1 5 ¯9 12 6 ¯5
⍝ == output 3 0 4 0 5 0 9 6 0
⍝ == output 30 ¯10 4 ¯10 50 ¯90 12 6 ¯50
⍝ == output 3 ¯1 0 ¯1 0 ¯9 0 0 ¯5
⍝ == output 3 ¯1 1 ¯1 2 ¯9 9 3 ¯5
⍝ == output 3 0 4 0 5 0 12 6 0
⍝ == output 3 1 4 1 5 9 12 6 5
⍝ == output 100 ¯1 100 ¯1 100 ¯9 100 6 ¯5
⍝ == output 3 0.25 4 0.25 5 0.25 12 6 0.25
⍝ == output 3 0 4 0 5 0 12 6 0 4
⍝ == output 3 1 4 2 5 3 12 6 4
⎕←w⊣w[⍸w>9]←9⊣w[⍸w<0]←0⊣w←v
⎕←w⊣w[⍸2|w]×←10⊣w←v
⎕←w⊣((w>3)/w)←0⊣w←v
⎕←w⊣((w>3)/w)-←3⊣w←v
⎕←0@(⍸v<0)⊢v
⎕←-@(0∘>)⊢v
⎕←w⊣w[⍸2</0,v]←100⊣w←v
⎕←w⊣w[⍸w<0]←÷4⊣w←v
⎕←w,≢i⊣w[i]←0⊣i←⍸w<0⊣w←v
⎕←w⊣w[i]←⍳≢i⊣i←⍸w<0⊣w←v
