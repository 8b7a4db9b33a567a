⍝ The sum of the logarithms of sums over pieces of growing length.
⍝ == output 1.745570087
⍝ == output 11138.01793
⎕←{+/⍟+/¨÷⍳¨⍳⍵}4
⎕←+/⍟+/¨⍳¨⍳1000
