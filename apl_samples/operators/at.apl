⍝ v@i and f@i change the major cells at some indices; v@g and f@g the elements for which g gives 1.
⍝ == input n int: 5
⍝ == output 1 0 3
⍝ == output 10 2 20 4
⍝ == output ¯1 2 ¯3 4 ¯5
⍝ == output 0 2 0 4 0
⍝ == output 1 12 13
⍝ == output 1 3 2 7 12
⍝ == output 11 2 13 4 15
⍝ == output bxnxnx
⍝ == output 1 2 3
⍝ == output 6 5 4
⍝ == output 7 8 9
⍝ == output 1 2 3
⍝ == output 4 0 0
⍝ == output 0 0 0
⍝ == output 42
⍝ == output 1 2 3 4 5
⍝ == error 34:1 LENGTH ERROR: the index of the operator @ selects 3 elements, there are 2 values
0@2⊢1 2 3
(10 20@1 3)⍳4
-@(2∘|)⍳n
0@(2∘|)⍳n
10(+@2 3)1 2 3
(+\@(>∘2))1 3 2 4 5
10(+@(2∘|))⍳n
('x'@(=∘'a'))'banana'
(⌽@2)3 3⍴⍳9
(0@(>∘4))3 3⍴⍳9
+/,(0 @ 2)3 3 2⍴⍳6
x←⍳n
y←(0@(⍳n-1))x
x
(1 2@1 2 3)x
