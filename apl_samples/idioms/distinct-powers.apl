⍝ Powers of whole numbers are exact below 2*53, and those above are equal within ⎕CT: of 2…100 to the 2…100
⍝ there are 9183 different ones.
⍝ == output 9183
⍝ == output 1
⍝ == output 1
≢∪,∘.*⍨1+⍳99
⎕CT←0
x←1+⍳30
∧/,(x*3)=x×x×x
∧/(7*⍳18)=×\18⍴7
