⍝ Narrow integers, each times its place, and those of rows are added up in narrow lanes, block by block. Lengths around the
⍝ blocks, and values at the ends of their types.
⍝ == input b uint8 5: 255 0 1 7 255
⍝ == input s int16 4: ¯32768 32767 ¯1 ¯32768
⍝ == output 1561 1029
⍝ == output ¯98309 ¯32771
⍝ == output 0 255 2138572800 2139617280 213914726400
⍝ == output 0 ¯168 ¯268468104 ¯268599200 ¯160008800000
⍝ == output 8390656
⍝ == output 600 601 599
⍝ == output 1
place ← {+/⍵×⍳≢⍵}
⎕←(place b),+/b×(≢b)-⍳≢b
⎕←(place s),+/s×(≢s)-⍳≢s
⎕←{place ⍵⍴1↑b}¨0 1 4095 4096 40960
⎕←{+/(⍵⍴¯8⌈3⌊¯8-⍵)×5+⍳⍵}¨0 3 8187 8189 200000
⎕←+/⍸4096⍴1
⎕←+/255⌊(3 600)⍴3|⍳601
⎕←+/0=10|+/(2 16⍴b)-9×(2 16⍴b)>9
