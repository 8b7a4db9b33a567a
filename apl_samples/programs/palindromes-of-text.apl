⍝ Palindromes in sentences: only letters count, whatever their case. And numbers that read the same from behind.
⍝ == input t char 30: 'A man, a plan, a canal: Panama'
⍝ == output amanaplanacanalpanama
⍝ == output 1
⍝ == output 0
⍝ == output 1
⍝ == output 9 0 7 5
⍝ == output 1 1 0 1
⍝ == output 108
⍝ == output 21
⍝ == output 4884
lower←'abcdefghijklmnopqrstuvwxyz'
letters←{((lower,lower),' ')[(lower,⎕A)⍳⍵]~' '}
⎕←letters t
palindrome←{l←letters ⍵ ⋄ l≡⌽l}
⎕←palindrome t
⎕←palindrome 'Not one'
⎕←palindrome 'Was it a car or a cat I saw?'
digits←{⍵<10:,⍵ ⋄ (∇⌊⍵÷10),10|⍵}
⎕←digits 9075
mirror←{d←digits ⍵ ⋄ d≡⌽d}
⎕←mirror¨7 121 123 1221
⎕←+/mirror¨⍳1000
reversed←{10⊥⌽digits ⍵}
⎕←reversed 1200
lychrel←{mirror ⍵:⍵ ⋄ ∇ ⍵+reversed ⍵}
⎕←lychrel 87
