⍝ Tables that are indexed: days of months, squares of digits, a substitution, a matrix, complements of DNA.
⍝ == input d int 4: 3 0 9 4
⍝ == output 28 31
⍝ == output 31 59 90
⍝ == output 60
⍝ == output 9 0 81 16
⍝ == output zero
⍝ == output one
⍝ == output CTAATGT
⍝ == output TGTAATC
⍝ == output 20
⍝ == output 30 35
⍝ == output 10 15
⍝ == output 15 25 35
⍝ == output 15 30
⍝ == output .#.
⍝ == output ##.
⍝ == output FE
⍝ == output 127
days←31 28 31 30 31 30 31 31 30 31 30 31
⎕←days[2 12]
⎕←+\days[⍳3]
dayOfYear←{(m d)←⍵ ⋄ d++/(m-1)↑days}
⎕←dayOfYear 3 1
squares←0 1 4 9 16 25 36 49 64 81
⎕←squares[1+d]
⎕←'zero one  two  threefour '[(5×¯1+⍳2)∘.+⍳4]
dna←'ACGT' ⋄ pair←'TGCA'
⎕←pair[dna⍳'GATTACA']
⎕←⌽pair[dna⍳'GATTACA']
price←3 2⍴10 15 20 25 30 35
⎕←price[2;1]
⎕←price[3 1;]
⎕←price[;2]
⎕←1 1⍉price[1 3;2 1]
⎕←'.#'[1+2 3⍴0 1 0 1 1 0]
hex←'0123456789ABCDEF'
⎕←hex[1+16 16⊤254]
⎕←16⊥¯1+hex⍳'7F'
