⍝ A function that ¨ applies for what it changes may give values of any types: nobody sees them.
⍝ == output 14
⍝ == output 7
⍝ == output  saw 1  saw 2
rpn←{
    stack←⍬
    _←{
        ∧/⍵∊⎕D:stack,←⍎⍵
        a b←¯2↑stack
        stack↓⍨←¯2
        stack,←('+-×÷'⍳⍵)⊃(a+b)(a-b)(a×b)(a÷b)
    }¨' '(≠⊆⊢)⍵
    ⊃stack
}
rpn '3 4 + 2 ×'
sum log←0 ⍬
_←{⍵>2:sum+←⍵ ⋄ log,←⊂'saw ',⍕⍵}¨1 2 3 4
sum
log
