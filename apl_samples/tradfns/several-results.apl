⍝ A header that names several results, as a strand: they are taken apart where the function is called.
⍝ == input v int 4: 3 1 4 1
⍝ == output 1 4
⍝ == output 2 1 2 1 0 0 1 0
⍝ == output 9 4 3 2
⍝ == output 8 3
∇ (least greatest)←extrema v
least←⌊/v
greatest←⌈/v
∇
∇ (half rest)←halves v
half←⌊v÷2
:If 0=+/half ⋄ :Return ⋄ :EndIf
rest←2|v
∇
∇ {(total n name)}←shyly v
(total n)←(+/v)(≢v)
name←'vol' 'no'
∇
⎕←extrema v
(h r)←halves 1+v
⎕←h,r
total n name←shyly v
⎕←total,n,≢¨name
shyly v
⎕←⌽extrema 5 3 8
