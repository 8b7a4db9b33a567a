⍝ A palindrome is what it is reversed.
⍝ == output 1
⍝ == output 0
⍝ == output 1 1 1
⍝ == output 1
⍝ == output 1
isPalindrome ← {⍵≡⌽⍵}
palindrome   ← ⊢≡⌽
⎕←isPalindrome 'racecar'
⎕←isPalindrome 'racer'
⎕←(palindrome 1 2 1),(palindrome ⍬),palindrome 'a'
⎕←{∧/⍵=⌽⍵}'level'
⎕←isPalindrome 2 2⍴1 1 2 2
