⍝ A name that is ⍬ at first becomes an array of arrays, or of records, in a function that calls itself.
⍝ == output  1 2 4  1 2 5  1 3
⍝ == output   nnn  3   nn  2   n  1
⍝ == output 0
parent←0 1 1 2 2
leaves←{
    found←⍬
    walk←{
        children←⍸parent=⊃⌽⍵
        0=≢children:0⊣found,←⊂⍵
        path←⍵
        0⊣{walk path,⍵}¨children
    }
    _←walk,⍵
    found
}
leaves 1
counted←{
    out←⍬
    down←{0=⍵:0 ⋄ out,←⊂('n'⍴⍨⍵)⍵ ⋄ ∇ ⍵-1}
    _←down ⍵
    out
}
counted 3
≢counted 0
