⍝ Structural functions treat characters like numbers; their fill is the blank, shown here as a dot.
⍝ == input t char 5: 'hello'
⍝ == output ab..
⍝ == output ..ab
⍝ == output a..c
⍝ == output a.b
⍝ == output ...
⍝ == output 1
⍝ == output bca
⍝ == output olleh
⍝ == output llo
⍝ == output hello!
⍝ == output ehllo
⍝ == output hello
⍝ == output hello
⍝ == output heo
⍝ == output 3 5
⍝ == output 2
dots←{('.',⍵)[1+(⍵≠' ')×⍳≢⍵]}
⎕←dots 4↑'ab'
⎕←dots ¯4↑'ab'
⎕←dots 1 ¯2 1/'abc'
⎕←dots 1 0 1\'ab'
⎕←dots 3⍴''
⎕←' '=⊃''
⎕←1⌽'abc'
⎕←⌽t
⎕←2↓t
⎕←t,'!'
⎕←t[⍋t]
⎕←2 5⍴t
⎕←(t≠'l')/t
⎕←t⍳'lo'
⎕←+/t='l'
