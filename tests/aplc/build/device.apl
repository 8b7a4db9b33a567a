⍝ The sum of some numbers; the greatest first is subtracted from each.
⍝: [double]1 → double
total←{+/⍵-⌈/⍵}

⍝: [int]1 → [int]1
running←{+\⍵}

⍝: [int]1 → [int]1
multiples←{⍵/⍨0=3|⍵}

⍝ Heat after so many steps on a ring.
⍝: int → [double]1 → [double]1
heat←{{⍵+0.25×(1⌽⍵)+(¯1⌽⍵)-2×⍵}⍣⍺⊢⍵}

⍝: [double]2 → [double]2 → [double]2
matmul←{⍺+.×⍵}

⍝: [double]1 → [double]1
ratios←{(1↓⍵)÷¯1↓⍵}

⍝: [int]1 → [int]1 → [int]1
pick←{⍺[⍵]}

⍝: [[double]1]1 → [double]1
sums←{+/¨⍵×2}

⍝: [char]1 → [[char]1]1
words←{(⍵≠' ')⊆⍵}

⍝: complex → [complex]1 → [complex]1
turned←{⍺×⍵+0J1}

⍝: bool → [bool]1 → int
flags←{+/⍺≠⍵}

⍝ A function that calls itself, with a loop.
⍝: int → [double]1 → double
deep←{⍺≤0:+/*⍵÷1+≢⍵ ⋄ (⍺-1)∇⍵+1}

⍝: [int]1 → (int,[int]1,[double]1)
several←{(+/⍵)(⌽⍵)(⍵÷4)}

⍝ A table of constants that a kernel reads.
⍝: [int]1 → [int]1
squares←{(13|7×⍳13)[1+13|⍵]}

⍝: int → int
plain←{⍵+1}
