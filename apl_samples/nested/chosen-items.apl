⍝ Items chosen by ⌷, as in sorting by (⊂⍋x)⌷x; ⌸ whose keys or values are a strand; ↑ of items of several ranks; all of a strand.
⍝ == output  apple  fig  pear 
⍝ == output  apple  fig  kiwi  pear 
⍝ == output  kiwi 
⍝ == output  apple  pear  kiwi  fig 
⍝ == output 0
⍝ == output  c 
⍝ == output  ab  c 
⍝ == output  ab  def 
⍝ == output  def    
⍝ == output  ab   c 
⍝ == output   listen  silent    google  
⍝ == output 2 1
⍝ == output  adf  be   c   
⍝ == output 1 0  
⍝ == output 2 0  
⍝ == output 3 4.5
⍝ == output 3 2 2
⍝ == output  1 2  abc 
⍝ == output  5 6  5 6 
w←'pear' 'fig' 'apple'
⎕←(⊂⍋w)⌷w
v←w,⊂'kiwi'
⎕←(⊂⍋v)⌷v
⎕←4⌷v
⎕←(⊂⍒≢¨v)⌷v
⎕←≢(⊂⍬)⌷v
m←2 2⍴'ab'(,'c')'def' ''
⎕←1 2⌷m
⎕←1⌷m
⎕←(1 2)1⌷m
⎕←(⊂2 1)⌷m
k←{⍵[⍋⍵]}¨ana←'listen' 'silent' 'google'
⎕←k{⊂⍵}⌸ana
⎕←k{≢⍵}⌸ana
⎕←↓⍉↑'abc' 'de' 'f'
⎕←↑1 2(3 4.5)
⎕←⍴↑1(2 3)(2 2⍴4)
s←(1 2)'abc'
⎕←s[]
s[]←⊂5 6
⎕←s
