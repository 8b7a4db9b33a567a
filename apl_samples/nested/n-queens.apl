⍝ Queens on a board that do not meet: the rows of those in the first columns are items, and each grows by
⍝ all rows that are still free. For boards of 4 to 8 there are 2, 10, 4, 40 and 92 ways.
⍝ == output  2 4 1 3  3 1 4 2 
⍝ == output 2 10 4 40 92
queens←{
    n←⍵
    free←{
        away←⌽⍳≢⍵
        (⍳n)~⍵,(⍵+away),⍵-away
    }
    {⊃,/{⍵∘,¨free ⍵}¨⍵}⍣n⊢,⊂⍬
}
⎕←queens 4
⎕←{≢queens ⍵}¨3+⍳5
