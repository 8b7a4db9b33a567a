⍝ A key of a few letters, again and again along a text: where the text is long, the letters stand in memory as often.
⍝ == input k char 5: 'LEMON'
⍝ == input n int 3: 1 2 4
⍝ == output LXFOPVEFRNHR
⍝ == output 5832 11665 11662 17493
⍝ == output 1000 0 LEMONLEMON
⍝ == output 0 1 683 1333
a←⎕A
code ← {a[1+26|(a⍳⍵)+(≢⍵)⍴(a⍳⍺)-2]}
⎕←k code 'ATTACKATDAWN'
⎕←{+/(2×⍳⍵)-(2×⍳⍵)-⍵⍴n}¨2500 5000 4998 7497
⎕←(+/c='L'),(+/'AZ'∊c),10↑c←k code 5000⍴'A'
⎕←{+/4=(⍳⍵)+(⍵⍴n)-⍳⍵}¨2 3 2049 4000
