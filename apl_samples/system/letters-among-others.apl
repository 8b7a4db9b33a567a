⍝ Letters in another case, in a text of several hundred characters of ASCII, and with letters of other alphabets in one
⍝ place: a round of 256 of which all are below 128 is computed in lanes.
⍝ == output THE END
⍝ == output ÑŸ
⍝ == output 598
⍝ == output 8
⍝ == output 0
t←600⍴'The end, '
⎕←7↑1⎕C t
u←t
u[300 301]←'ñÿ'
⎕←(1⎕C u)[299+⍳2]
⎕←+/(1⎕C t)=1⎕C u
⎕←≢∪⎕C t,'ß',t
⎕←(⎕C t)≡⎕C u
