⍝ Check digits: Luhn's of credit cards, of ISBN-10 and ISBN-13. The numbers are the usual examples.
⍝ == input card char 16: '4539148803436467'
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 1
⍝ == output 1
⍝ == output 0
⍝ == output 1
digits←{¯1+⎕D⍳⍵}
luhn←{d←⌽digits ⍵ ⋄ e←d×(≢d)⍴1 2 ⋄ 0=10|+/e-9×e>9}
⎕←luhn card
⎕←luhn '79927398713'
⎕←luhn '79927398710'
isbn10←{0=11|+/(⌽⍳10)×¯1+'0123456789X'⍳⍵}
⎕←isbn10 '0306406152'
⎕←isbn10 '080442957X'
⎕←isbn10 '0306406153'
isbn13←{0=10|(digits ⍵)+.×13⍴1 3}
⎕←isbn13 '9780306406157'
