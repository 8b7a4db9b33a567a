⍝ Run-length encoding: runs of equal elements, their lengths, and back.
⍝ == output  aaa  b  cccc  d 
⍝ == output abcd
⍝ == output 3 1 4 1
⍝ == output 1
⍝ == output 1
⍝ == output aaabccccd
text←'aaabccccd'
runs←(1,2≠/text)⊂text
⎕←runs
⎕←⊃¨runs
⎕←≢¨runs
⎕←text≡∊runs
⎕←text≡(≢¨runs)/⊃¨runs
⎕←⊃,/(≢¨runs)⍴¨⊃¨runs
