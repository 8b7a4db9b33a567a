⍝ What payments are worth today. The discounts are powers of one rate: a table of some of them, and one power for each of its rounds. The loops
⍝ are those of the table, of the rounds and of the two versions of one, and one for few payments, whose powers are products.
⍝ == input c double 3: 110 121 133.1
⍝ == input r double: 1.1
⍝ == output 300
⍝ == structure {loops 5, allocs 0}
+/c÷r*⍳≢c
