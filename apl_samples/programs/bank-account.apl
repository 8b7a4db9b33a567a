⍝ An account: a payment that it does not hold is refused, and counted. The balance and the count are names of outside.
⍝ == input payments int 7: 100 ¯30 ¯80 50 ¯120 ¯119 ¯2
⍝ == output 100 70 70 120 0 0 0
⍝ == output 0 3
balance ← 0
refused ← 0
pay ← {
    0>balance+⍵: balance⊣refused+←1
    balance+←⍵
    balance
}
⎕←pay¨payments
⎕←balance,refused
