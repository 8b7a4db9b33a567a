⍝ Caesar's cipher by rotation of the alphabet, decoding by the opposite one, all shifts as a table, and Vigenère's.
⍝ == input t char 11: 'ATTACK DAWN'
⍝ == input k int: 3
⍝ == output DWWDFN GDZQ
⍝ == output ATTACK DAWN
⍝ == output ATTACK DAWN
⍝ == output HAL
⍝ == output IBM
⍝ == output GZK
⍝ == output KXRKGI
caesar←{((⍺⌽⎕A),' ')[(⎕A,' ')⍳⍵]}
⎕←k caesar t
⎕←(-k)caesar k caesar t
⎕←13 caesar 13 caesar t
⎕←↑0 1 25{⍺ caesar 'HAL'}¨0
vigenere←{⎕A[1+26|(¯1+⎕A⍳⍵)+(⍴⍵)⍴¯1+⎕A⍳⍺]}
⎕←'KEY'vigenere 'ATTACK'
