⍝ Items that are replaced by index, and get another length; indices that are arrays; what is modified item by item,
⍝ as often as an index names it.
⍝ == output  7 8 9 10  3 4 5 
⍝ == output  1  9 9  9 9 
⍝ == output  1  1 2  1 2 3 
⍝ == output  9 9 9  1 2  8 8 
⍝ == output  9 9 9 0  1 2  8 8 
⍝ == output  1 2  1 2 3 4 5 6 
⍝ == output  6 7  8           
⍝ == output  10 30 50  20  40    
⍝ == output  5 5  6 6  40    
⍝ == output  5 5  6 6  7.5    
⍝ == output  hll ld  e  r  owo 
⍝ == output  5 10  1 6 11  2 7 12  3 8  4 9 
⍝ == output  2 4  1 3  2 4  3 1 
⍝ == output  1 2 1 1 1  3 4 
⍝ == output  alice  43  1 2 3 4 
⍝ == output  1 2 3  bob  1 2 3 4 
⍝ == output 0 ¯1 3
⍝ == output 4  0 6
⍝ == output 7  8 0
⍝ == output 1
⍝ == output  4 5 6 
⍝ == output 999 499500
⍝ == error 76:1 INDEX ERROR: b has no element 4, the length is 3
x←(1 2)(3 4 5)
x[1]←⊂7 8 9 10
⎕←x
y←⍳¨⍳3
z←y
y[2 3]←⊂9 9
⎕←y
⎕←z
z[1 3]←(9 9 9)(8 8)
⎕←z
z[1],←0
⎕←z
m←2 2⍴(1 2)(3 4 5)(6 7)(,8)
m[1;2]←⊂⍳6
⎕←m
g←4⍴⊂⍬
g[1 2 1 3 1],←10 20 30 40 50
⎕←g
g[1 2]←(5 5)(6 6)
⎕←g
b←3⍴⊂⍬
g[3]←⊂,7.5
⎕←g
letters←{r←4⍴⊂'' ⋄ t←⍵ ⋄ r⊣{r[1+4|⎕UCS t[⍵]],←⊂t[⍵]}¨⍳≢t}
⎕←letters 'hello world'
∇ r←buckets v;i
r←5⍴⊂⍬
:For i :In v
  r[1+5|i]←⊂(⊃r[1+5|i]),i
:EndFor
∇
⎕←buckets ⍳12
graph←{g←⍵⍴⊂⍬ ⋄ e←⍺ ⋄ g⊣{g[e[⍵;1]],←e[⍵;2] ⋄ g[e[⍵;2]],←e[⍵;1]}¨⍳≢e}
⎕←(4 2⍴1 2 2 3 3 4 1 4)graph 4
⎕←({x←⍵ ⋄ x[1]←⊂(⊃x),1 ⋄ x}⍣3)(1 2)(3 4)
record←'bob' 42 (1 2 3)
record[2]←43
record[1]←⊂'alice'
record[3],←⊂4
⎕←record
record[2 1]←'bob' (1 2)
record[,1],←3
⎕←(⌽@(,2))record
n←3 3⍴⍳9
n[(1 1)(2 2)(3 3)]←0
n[⊂1 2]-←3
⎕←n
⎕←≢x[2]
⎕←1+x[2]
⎕←{r←7⍴⊂⍬ ⋄ _←{r[1+7|⍵],←⍵}¨⍳⍵ ⋄ (≢∊r),+/∊r}999
b[4]←⊂5 6
