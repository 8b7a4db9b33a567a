⍝ Tables of comma-separated values with texts: a matrix of texts, columns of texts and of numbers, a header.
⍝ == output  /index.html    200  512    
⍝ == output  /no-such-page  404  0      
⍝ == output  /a,b           200  2048.5 
⍝ == output 3 3
⍝ == output  /index.html  /no-such-page  /a,b 
⍝ == output 404
⍝ == output /index.html  
⍝ == output /no-such-page
⍝ == output /a,b         
⍝ == output 2560.5
⍝ == output  name  age 
⍝ == output  Ann "A"  Bob 
⍝ == output 61
⍝ == output  Ann "A"  34 
⍝ == output  Bob      27 
⍝ == output   Ann "A"  Bob    34  27  
⍝ == output 0 0
⍝ == output 0 0
⍝ == error 41:3 FILE ERROR: the text of ⎕CSV, line 4: 1 fields, where the first row has 2
f←'apl_samples/data/requests.csv'
⎕←t←⎕CSV f
⎕←⍴t
(paths codes)←⎕CSV⍠'Invert' 1⊢f '' (1 2 0)
⎕←paths
⎕←⌈/codes
(paths sizes)←(⎕CSV⍠'Invert' 2)f '' (1 0 2)
⎕←paths
⎕←+/sizes
text←'name,age',(⎕UCS 10),'"Ann ""A""",34',(⎕UCS 10),'Bob,27',⎕UCS 10
(columns head)←⎕CSV⍠'Invert' 1⊢text 'S' (1 2) 1
(names ages)←columns
⎕←head
⎕←names
⎕←+/ages
⎕←⊃⎕CSV text 'S' 1 1
⎕←1↓¨⎕CSV⍠'Invert' 1⊢text 'S'
(a b)←⎕CSV⍠'Invert' 1⊢'' 'S' (1 2)
⎕←(≢a),≢b
⎕←⍴⎕CSV '' 'S'
⎕←⎕CSV (text,'x') 'S'
