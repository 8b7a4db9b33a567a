⍝ A ledger: fields of texts, amounts with a running balance in a printed report, and sums by kind.
⍝ == output date          amount   balance
⍝ == output 01-03 rent   ¯950.00   ¯950.00
⍝ == output 01-05 salary 2450.50   1500.50
⍝ == output 01-09 food    ¯83.17   1417.33
⍝ == output 02-01 rent   ¯975.00    442.33
⍝ == output total         442.33
⍝ == output  salary   2450.5
⍝ == output  food      ¯83.17
⍝ == output  rent    ¯1925
⍝ == output ¯1925
lines←'01-03;rent;-950.00' '01-05;salary;2450.50' '01-09;food;-83.17' '02-01;rent;-975.00'
number←{
    v←⍵
    v[⍸'-'=v]←'¯'
    ⊃2⊃⎕VFI v
}
fields←';'(≠⊆⊢)¨lines
dates←1⊃¨fields
kinds←2⊃¨fields
amounts←number¨3⊃¨fields

∇ Report(dates kinds amounts);i;balance
  ⎕←(5↑'date'),' ',(6↑''),(¯8↑'amount'),¯10↑'balance'
  balance←0
  :For i :In ⍳≢dates
    balance+←amounts[i]
    ⎕←(i⊃dates),' ',(6↑i⊃kinds),(8 2⍕amounts[i]),10 2⍕balance
  :EndFor
  ⎕←(12↑'total'),8 2⍕balance
∇

Report dates kinds amounts
names←∪kinds
sums←kinds{+/⍵}⌸amounts
order←⍒sums
⎕←names[order],[1.5]sums[order]
⎕←⌊/sums
