⍝ Sums over items of growing length: the logarithms of the sums of 1÷⍳i for i up to ⍵, and the logarithms of
⍝ all numbers up to i squared.
⍝ == output 1.745570087
⍝ == output 46.65174142
logs    ← {+/⍟+/¨÷⍳¨⍳⍵}
squares ← {+/+/¨⍟⍳¨×⍨⍳⍵}
⎕←logs 4
⎕←squares 4
