⍝ Records: a vector of strands whose items have the same types. Data chooses from it as from any vector: by an index
⍝ that only the run knows, by a mask, in sorted order. It grows by ,←⊂ and is mapped over by ¨.
⍝ == input limit int : 30
⍝ == case the second one
⍝ == input i int : 2
⍝ == output bob
⍝ == output 27
⍝ == output  bob  27
⍝ == output   bob  27   ann  31   cy  45
⍝ == output   bob  27
⍝ == output  ann: 31  bob: 27  cy: 45
⍝ == output  ann  bob  cy  dee
⍝ == output 30.5
⍝ == output 4
⍝ == case the last one, and none below the limit
⍝ == input i int : 3
⍝ == input limit int : 20
⍝ == output cy
⍝ == output 45
⍝ == output  cy  45
⍝ == output   bob  27   ann  31   cy  45
⍝ == output
⍝ == output  ann: 31  bob: 27  cy: 45
⍝ == output  ann  bob  cy  dee
⍝ == output 30.5
⍝ == output 4
⍝ == case an index that is none
⍝ == input i int : 4
⍝ == error 31:12 INDEX ERROR: 4
people←('ann' 31)('bob' 27)('cy' 45)
(name age)←i⊃people
name
age
i⊃people
people[⍋2⊃¨people]
(limit>2⊃¨people)/people
{(⊃⍵),': ',⍕2⊃⍵}¨people
people,←⊂'dee' 19
⊃¨people
(+/÷≢)2⊃¨people
≢people
