⍝ In how many ways coins make an amount: for each coin c, running sums at distance c, which are the columns of the vector
⍝ folded to rows of c. 292 ways for 100 cents in 1, 5, 10, 25 and 50. And the best load of a knapsack, item by item.
⍝ == input capacity int: 10
⍝ == output 292
⍝ == output 1 2 4
⍝ == output 90
⍝ == output 0 0 0 50 50 50 50 90 90 90 90
coins←1 5 10 25 50
step←{
    (k w)←⍵
    c←coins[k]
    (k+1)((≢w)↑,+⍀((⌈(≢w)÷c),c)⍴w,c⍴0)
}
ways←{w←1,⍵⍴0 ⋄ k←1 ⋄ ⊃⌽2⊃(step⍣5)k w}
⎕←ways 100
⎕←ways¨4 5 10
weights←5 4 6 3
values←10 40 30 50
item←{
    (k best)←⍵
    w←weights[k]
    (k+1)(best⌈(w⍴0),values[k]+(-w)↓best)
}
k←1
best←(capacity+1)⍴0
best←2⊃(item⍣4)k best
⎕←best[capacity+1]
⎕←best
