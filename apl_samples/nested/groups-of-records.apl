⍝ Groups of records are kept as they are: ⊂ cuts a vector of records, ⌸ groups them by a key, and what is done to a
⍝ group is what is done to a vector of records: its fields, sums of them, its records in another order, more of them.
⍝ == input n int : 2
⍝ == case the second group
⍝ == output 2 2 1
⍝ == output   ann     ann  tea  3   ann  milk  2
⍝ == output   bob     bob  milk  1   bob  tea  4
⍝ == output   cy      cy  tea  9
⍝ == output 5 5 9
⍝ == output   tea  milk    milk  tea    tea
⍝ == output    ann  tea  3     bob  tea  4     cy  tea  9
⍝ == output    cy  tea  9     ann  tea  3   ann  milk  2     bob  milk  1   bob  tea  4
⍝ == output   ann  tea  3   ann  milk  2   bob  milk  1   bob  tea  4   cy  tea  9
⍝ == output 3 2
⍝ == output   ann  milk  2   bob  milk  1
⍝ == output    bob  milk  1   ann  tea  3
⍝ == output    ann  tea  3   bob  milk  1   ann  milk  2     cy  tea  9   bob  tea  4
⍝ == output 1
⍝ == output ¯4
⍝ == output   eng  2 40   ops  1 45
⍝ == output   bob  milk  1   bob  tea  4
⍝ == case the last windows, and a group that is not there
⍝ == input n int : 4
⍝ == output 2 2 1
⍝ == output   ann     ann  tea  3   ann  milk  2
⍝ == output   bob     bob  milk  1   bob  tea  4
⍝ == output   cy      cy  tea  9
⍝ == output 5 5 9
⍝ == output   tea  milk    milk  tea    tea
⍝ == output    ann  tea  3     bob  tea  4     cy  tea  9
⍝ == output    cy  tea  9     ann  tea  3   ann  milk  2     bob  milk  1   bob  tea  4
⍝ == output   ann  tea  3   ann  milk  2   bob  milk  1   bob  tea  4   cy  tea  9
⍝ == output 3 2
⍝ == output   bob  tea  4   cy  tea  9
⍝ == output    bob  milk  1   ann  tea  3
⍝ == output    ann  tea  3   bob  milk  1   ann  milk  2     cy  tea  9   bob  tea  4
⍝ == output 1
⍝ == output ¯4
⍝ == output   eng  2 40   ops  1 45
⍝ == error 61:1 INDEX ERROR: ⊃ has no element 4, the length is 3
orders←('ann' 'tea' 3)('bob' 'milk' 1)('ann' 'milk' 2)('cy' 'tea' 9)('bob' 'tea' 4)
groups←(⊃¨orders){⊂⍵}⌸orders
≢¨groups
(⊃¨orders){⍺ ⍵}⌸orders
{+/3⊃¨⍵}¨groups
{2⊃¨⍵}¨groups
{⍵[⊃⍒3⊃¨⍵]}¨groups
groups[⍒{+/3⊃¨⍵}¨groups]
⊃,/groups
≢¨1 0 0 1 0⊂orders
⌽n⊃2,/⊂¨orders
parts←0⍴⊂n↓orders
parts,←⊂orders
parts[1]←⊂⌽2↑orders
parts
1 1 1 2 2⊆orders
groups≡⌽⌽groups
≡groups
departments←('eng' (('ann' 31)('bob' 9)))('ops' (,⊂'cy' 45))
{(⊃⍵)(≢2⊃⍵)(+/2⊃¨2⊃⍵)}¨departments
n⊃groups
