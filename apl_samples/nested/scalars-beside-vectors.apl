⍝ A strand of texts some of which are single characters, from which data chooses: what is chosen is a vector, also
⍝ where it has one element.
⍝ == input n int : 1994
⍝ == output MCMXCIV
⍝ == output  I  IV  IX  XL
⍝ == output 1
roman←{
  values←1000 900 500 400 100 90 50 40 10 9 5 4 1
  letters←'M' 'CM' 'D' 'CD' 'C' 'XC' 'L' 'XL' 'X' 'IX' 'V' 'IV' 'I'
  ⍵=0:''
  i←⊃⍸values≤⍵
  (i⊃letters),∇⍵-i⊃values
}
roman n
roman¨1 4 9 40
≢(1+2|n)⊃'M' 'CM'
