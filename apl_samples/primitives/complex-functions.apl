⍝ Powers, logarithms and circular functions of complex numbers; 9 to 12 are the parts, the magnitude and the phase.
⍝ The numbers were checked with those of Python's cmath.
⍝ == output ¯11J¯2
⍝ == output 0.2J¯0.4
⍝ == output 1.27201965J0.7861513778
⍝ == output ¯1.640101018J0.2020503986
⍝ == output 0.3669139495J1.966055481
⍝ == output 0J1
⍝ == output ¯1.131204384J2.471726672
⍝ == output 0.8047189562J1.107148718
⍝ == output 0J3.141592654
⍝ == output 1.160964047J1.597277965
⍝ == output 3.141592654J6.283185307
⍝ == output 2.197368227J¯0.9101797211
⍝ == output 3.165778513J1.959601041
⍝ == output 2.032723007J¯3.051897799
⍝ == output 0.03381282608J1.014793616
⍝ == output 1.111785941J1.79890744
⍝ == output ¯0.489056259J1.403119251
⍝ == output ¯0.6421481247J1.068607421
⍝ == output 1.166736257J¯0.2434582012
⍝ == output 0.4270785864J1.528570919
⍝ == output 1.14371774J¯1.528570919
⍝ == output 1.338972522J0.4023594781
⍝ == output 0.9101797211J2.197368227
⍝ == output 1.469351744J1.063440024
⍝ == output 1.528570919J1.14371774
⍝ == output 0.1732867951J1.178097245
⍝ == output 1.79890744J¯1.111785941
⍝ == output ¯1.79890744J1.111785941
⍝ == output 1 5 2 1.570796327
⍝ == output 1J2 1J¯2 ¯2J1 1
⍝ == output 1
z←1J2
⎕←z*3
⎕←z*¯1
⎕←z*0.5
⎕←z*2J1
⎕←2*z
⎕←¯1J0*0.5
⎕←*z
⎕←⍟z
⎕←⍟¯1J0
⎕←2⍟z
⎕←○z
⎕←0○z
⎕←1○z
⎕←2○z
⎕←3○z
⎕←4○z
⎕←5○z
⎕←6○z
⎕←7○z
⎕←¯1○z
⎕←¯2○z
⎕←¯3○z
⎕←¯4○z
⎕←¯5○z
⎕←¯6○z
⎕←¯7○z
⎕←8○z
⎕←¯8○z
⎕←(9○z),(10○3J4),(11○z),12○0J1
⎕←(¯9○z),(¯10○z),(¯11○z),¯12○0
⎕←1=|*0J1×○2
