⍝ One branch is double. The place is that branch, not the whole definition.
⍝ == error 4:11 TYPE ERROR: the annotation claims int, this is double
half ← { ⍝: int → int
    0=2|⍵:⍵÷2
    ⍵
}
