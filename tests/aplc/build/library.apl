⍝ Arithmetic mean of some numbers; */ ends no comment.
⍝: [double]1 → double
mean←{(+/⍵)÷≢⍵}

⍝ Soft-clipped differences of a signal.
⍝: [double]1 → [double]1
signal←{¯50⌈50⌊50×({1↓⍵-¯1⌽⍵}0,⍵)÷0.01+⍵}

⍝ The words of a text.
⍝: [char]1 → [[char]1]1
words←{(⍵≠' ')⊆⍵}

⍝: [[double]1]1 → [double]1
sums←{+/¨⍵}

⍝ The items from the last to the first, each of them reversed.
⍝: [[double]1]1 → [[double]1]1
flip←{⌽¨⌽⍵}

⍝: [[double]1]1 → [int]1 → [double]1
each←{⍺{⍺[⍵]}¨⍵}

⍝: int → int
depth←{⍵≤0:0 ⋄ 1+∇⍵-1}

⍝: [double]2 → [double]2 → [double]2
matmul←{⍺+.×⍵}

⍝ A number, and that number with another imaginary part.
⍝: complex → [complex]1
roots←{⍵,⍵+0J3}

⍝: bool → [bool]1 → [bool]1
xor←{⍺≠⍵}

⍝ The sum, and the numbers from the last to the first.
⍝: [int]1 → (int,[int]1)
both←{(+/⍵)(⌽⍵)}

⍝ The first number of each line.
⍝: [[char]1]1 → [double]1
numbers←{(⊃⍎)¨⍵}

total←+/⍳10
⍝: int → [int]1
table←{⍵⍴total}

helper←{⍵+1}
⍝: [double]1 → [char]1
shown←{⍕⍵}
