⍝ A reduction of one element does not call its function, whatever that would raise.
⍝ == case one term: no call
⍝ == input e bool 0:
⍝ == input m bool 1 4: 0 1 0 1
⍝ == output 1 1 1 1
⍝ == output 0 1 0 1
⍝ == output 0 1 0 1
⍝ == output 0 1 0 1
⍝ == case two terms: it is called
⍝ == input e bool 0:
⍝ == input m bool 2 2: 0 1 0 1
⍝ == error 20:3 DOMAIN ERROR: no identity item
⍝ == case no terms for no results
⍝ == input e bool 0:
⍝ == input m bool 1 0:
⍝ == output 
⍝ == output 
⍝ == output 
⍝ == output 
0{<⍨/e}.≤m
{(<⍨/e)⊣⍺}⌿m
{({x←⍺ ⋄ ⍺⊣⍺}/e)⊣⍺}⌿m
{(<⍨/e)⊣⍺}⍀m
