⍝ A function inside another one is proved there, for the types that the names around it have.
⍝ == case with whole numbers
⍝ == input k int:  2
⍝ == output 3 4 5
⍝ == case with halves
⍝ == input k double:  2.5
⍝ == error 11:9 TYPE ERROR: the annotation claims int, this is double
shift ← {
    by ← ⍺
    one ← { ⍝: int → int
        ⍵+by }
    one¨⍵ }
k shift 1 2 3
