⍝ Tables of comma-separated values: 2 reads a column of numbers, 4 has 0 for what is none, 0 leaves it out.
⍝ == output 200  512  
⍝ == output 404    0  
⍝ == output 200 2048.5
⍝ == output 0 200  512  
⍝ == output 0 404    0  
⍝ == output 0 200 2048.5
⍝ == output 2560.5
⍝ == output 1  2.5
⍝ == output 3 ¯4  
⍝ == output 0 0
⍝ == output UTF-8:10:3
⎕←⎕CSV 'apl_samples/data/requests.csv' '' (0 2 2)
⎕←⎕CSV 'apl_samples/data/requests.csv' '' 4
⎕←+⌿⎕CSV 'apl_samples/data/requests.csv' 'UTF-8' (0 0 2)
text←'1,2.5',(⎕UCS 10),'"3",¯4',(⎕UCS 10 10)
⎕←⎕CSV text 'S' 2
⎕←⍴⎕CSV '' 'S' 2
t encoding newline←⎕NGET 'apl_samples/data/requests.csv'
⎕←encoding,':',(⍕newline),':',⍕+/t=⎕UCS newline
