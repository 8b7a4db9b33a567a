⍝ Numbers to Roman and back, a word at a time.
⍝ == output  XIV  MCMXC  IV 
⍝ == output 14 1990 4
values←1000 900 500 400 100 90 50 40 10 9 5 4 1
signs←,¨'M' 'CM' 'D' 'CD' 'C' 'XC' 'L' 'XL' 'X' 'IX' 'V' 'IV' 'I'
roman←{0=⍵:'' ⋄ k←⊃⍸values≤⍵ ⋄ (k⊃signs),∇⍵-values[k]}
arabic←{v←(1000 500 100 50 10 5 1)['MDCLXVI'⍳⍵] ⋄ +/v×1-2×v<1↓v,0}
words←roman¨14 1990 4
⎕←words
⎕←arabic¨words
