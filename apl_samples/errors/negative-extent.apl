⍝ == input n int: ¯3
⍝ == error 3:1 DOMAIN ERROR: ⍴ needs extents that are not negative, got ¯3
2 n⍴5
