⍝ Programs in the manner of public collections: recursions, graphs, puzzles, codes, numbers, prices and points.
⍝ collected.c has each by hand, and collected_rows.py what they are called with.

⍝ Recursions.
queens←{n←⍵ ⋄ {n=≢⍵:1 ⋄ k←⌽⍳≢⍵ ⋄ p←⍵ ⋄ +/∇¨(⊂p),¨(⍳n)~p,(p+k),p-k}⍬}
perms←{0=⍵:1 0⍴0 ⋄ p←∇⍵-1 ⋄ ⊃⍪/{⍵,p+⍵≤p}¨⍳⍵}
combs←{⍺=0:1 0⍴0 ⋄ ⍺>⍵:0 ⍺⍴0 ⋄ (1,1+(⍺-1)∇⍵-1)⍪1+⍺∇⍵-1}
parts←{⍺←⍵ ⋄ ⍵=0:1 ⋄ (⍺=0)∨⍵<0:0 ⋄ ((⍺-1)∇⍵)+⍺∇⍵-⍺}
quick←{1≥≢⍵:⍵ ⋄ p←⍵[⌈0.5×≢⍵] ⋄ (∇(⍵<p)/⍵),((⍵=p)/⍵),∇(⍵>p)/⍵}
hanoi←{⍺←1 2 3 ⋄ (f t v)←⍺ ⋄ ⍵=0:0 2⍴0 ⋄ ((f v t)∇⍵-1)⍪(f,t)⍪(v t f)∇⍵-1}
hilbert←{0=⍵:1 1⍴0 ⋄ h←∇⍵-1 ⋄ k←≢,h ⋄ ((⍉h),(3×k)+⊖⌽⍉h)⍪(k+h),h+2×k}
happy←{+/{⍵=1:1 ⋄ ⍵=4:0 ⋄ ∇+/×⍨⍎¨⍕⍵}¨⍳⍵}
fuel←{+/{f←¯2+⌊⍵÷3 ⋄ f≤0:0 ⋄ f+∇f}¨⍵}

⍝ Graphs and grids.
∇ d←s nearness w;o;k;u
d←(≢w)⍴1E9
d[s]←0
o←(≢w)⍴0
:While ∨/0=o
    k←d+o
    u←k⍳⌊/k
    o[u]←1E9
    d⌊←d[u]+w[u;]
:EndWhile
∇
∇ k←maze g;w;o;f;e
w←2⊃⍴g
o←,g≠'#'
e←(,g)⍳'E'
f←,(,g)⍳'S'
k←¯1
:While o[e]
    o[f]←0
    f←∪,f∘.+¯1 1,w,-w
    f←o[f]/f
    k+←1
:EndWhile
∇
cucumbers←{({e←(⍵='>')∧'.'=1⌽⍵ ⋄ g←'>'@(⍸¯1⌽e)⊢'.'@(⍸e)⊢⍵ ⋄ s←(g='v')∧'.'=1⊖g ⋄ 'v'@(⍸¯1⊖s)⊢'.'@(⍸s)⊢g}⍣⍺)⍵}
∇ r←lights m;g;i;x;y
g←1000 1000⍴0
:For i :In ⍳≢m
    x←m[i;2]+¯1+⍳1+m[i;4]-m[i;2]
    y←m[i;3]+¯1+⍳1+m[i;5]-m[i;3]
    :Select m[i;1]
    :Case 1
        g[x;y]←1
    :Case 2
        g[x;y]←0
    :Else
        g[x;y]←~g[x;y]
    :EndSelect
:EndFor
r←+/,g
∇
squares←{p←⍵ ⋄ ⌈/{⌈/,⍵+/⍵+⌿p}¨⍳20}

⍝ Puzzles.
polymer←{r←⍺[1;] ⋄ s←⍺[2;] ⋄ ({n←(≢⍵)⍴0 ⋄ n[r]+←⍵ ⋄ n[s]+←⍵ ⋄ 1000003|n}⍣⍵)r=1}
houses←{≢∪0,+\0J1 1 0J¯1 ¯1['^>v<'⍳⍵]}
nice←{a←0 ¯1↓⍵ ⋄ b←0 1↓⍵ ⋄ +/(3≤+/⍵∊'aeiou')∧(∨/a=b)∧~∨/(a∊'acpx')∧b=⎕UCS 1+⎕UCS a}
∇ r←reacted t;s;c
s←(≢t)⍴0
r←0
:For c :In ⎕UCS t
    :If r>0
    :AndIf 32=|c-s[r]
        r-←1
    :Else
        r+←1
        s[r]←c
    :EndIf
:EndFor
∇
∇ r←p marbles n;next;prev;score;at;i;a;b
next←prev←(n+1)⍴1
score←p⍴0
at←1
:For i :In ⍳n
    :If 0=23|i
        :For _ :In ⍳7
            at←prev[at]
        :EndFor
        score[1+p|i]+←i+at-1
        a←prev[at]
        b←next[at]
        next[a]←b
        prev[b]←a
        at←b
    :Else
        a←next[at]
        b←next[a]
        next[a]←i+1
        prev[i+1]←a
        next[i+1]←b
        prev[b]←i+1
        at←i+1
    :EndIf
:EndFor
r←⌈/score
∇
suffixes←{({10|⌽+\⌽⍵}⍣⍺)⍵}

⍝ Texts and codes.
palindromic←{s←⍵ ⋄ ⌈/{k←(⍵-1)⌊(≢s)-⍵ ⋄ 1+2×+/∧\(k↑⍵↓s)=k↑⌽(⍵-1)↑s}¨⍳≢s}
soundex←{↑{k←'01230120022455012623010202'[⎕A⍳⍵] ⋄ k←1↓(1,2≠/k)/k ⋄ 4↑(⊃⍵),(k~'0'),'000'}¨' '(≠⊆⊢)⍵}
∇ r←sha w;h;m;i;a;b;c;d;e;f;t;k;rol
rol←{(⍵ ⎕INT32SHL ⍺)⎕INT32OR(¯1+1 ⎕INT32SHL ⍺)⎕INT32AND ⍵ ⎕INT32SHR 32-⍺}
h←1732584193 ¯271733879 ¯1732584194 271733878 ¯1009589776
:For i :In ⍳≢w
    m←w[i;],64⍴0
    :For t :In 16↓⍳80
        m[t]←1 rol m[t-3]⎕INT32XOR m[t-8]⎕INT32XOR m[t-14]⎕INT32XOR m[t-16]
    :EndFor
    (a b c d e)←h
    :For t :In ⍳80
        :If t≤20
            f←d ⎕INT32XOR b ⎕INT32AND c ⎕INT32XOR d
            k←1518500249
        :ElseIf t≤40
            f←b ⎕INT32XOR c ⎕INT32XOR d
            k←1859775393
        :ElseIf t≤60
            f←(b ⎕INT32AND c)⎕INT32OR d ⎕INT32AND b ⎕INT32OR c
            k←¯1894007588
        :Else
            f←b ⎕INT32XOR c ⎕INT32XOR d
            k←¯899497514
        :EndIf
        f←0 ⎕INT32OR 4294967296|f+e+k+m[t]+5 rol a
        e←d
        d←c
        c←30 rol b
        b←a
        a←f
    :EndFor
    h←0 ⎕INT32OR 4294967296|h+a,b,c,d,e
:EndFor
r←h
∇
∇ r←key rc4 n;s;i;j;k
s←¯1+⍳256
j←0
:For i :In ⍳256
    j←256|j+s[i]+key[1+(≢key)|i-1]
    s[i,j+1]←s[(j+1),i]
:EndFor
r←n⍴0
i←j←0
:For k :In ⍳n
    i←256|i+1
    j←256|j+s[i+1]
    s[i j+1]←s[j i+1]
    r[k]←s[1+256|s[i+1]+s[j+1]]
:EndFor
∇
∇ r←toFront t;a;i;c
a←¯1+⍳256
r←(≢t)⍴0
:For i :In ⍳≢t
    c←t[i]
    r[i]←a⍳c
    a←c,a~c
:EndFor
∇

⍝ Numbers.
∇ t←totients n;p;m
t←⍳n
:For p :In 1↓⍳n
    :If t[p]=p
        m←p×⍳⌊n÷p
        t[m]-←⌊t[m]÷p
    :EndIf
:EndFor
∇
∇ r←factorial n;d;k;c
d←,1
:For k :In ⍳n
    d×←k
    :While ∨/d>999999
        c←⌊d÷1000000
        d←(1000000|d),0
        d+←0,c
        d↓⍨←-0=⊃⌽d
    :EndWhile
:EndFor
r←+/,(6⍴10)⊤d
∇
∇ a←recaman n;seen;i;x
seen←(10×n)⍴0
a←n⍴0
x←0
seen[1]←1
:For i :In ⍳n-1
    :If x>i
    :AndIf ~seen[1+x-i]
        x-←i
    :Else
        x+←i
    :EndIf
    seen[1+x]←1
    a[i+1]←x
:EndFor
∇
∇ r←rods p;n;i
n←≢p
r←(n+1)⍴0
:For i :In ⍳n
    r[i+1]←⌈/p[⍳i]+r[1+i-⍳i]
:EndFor
∇

⍝ Numeric methods.
∇ x←a solved b;m;k;p
m←a,b
:For k :In ⍳≢m
    p←(k-1)+{⍵⍳⌈/⍵}|(k-1)↓m[;k]
    m[k p;]←m[p k;]
    m[k;]÷←m[k;k]
    m-←(m[;k]×k≠⍳≢m)∘.×m[k;]
:EndFor
x←m[;1+≢m]
∇
∇ v←k spline t;x;y;n;h;s;c;m;i;p;j;u
(x y)←↓k
n←≢x
h←2-⍨/x
s←(2-⍨/y)÷h
c←m←n⍴0.0
:For i :In 1↓⍳n-1
    p←(2×x[i+1]-x[i-1])-h[i-1]×c[i-1]
    c[i]←h[i]÷p
    m[i]←((6×s[i]-s[i-1])-h[i-1]×m[i-1])÷p
:EndFor
:For i :In ⌽1↓⍳n-1
    m[i]-←c[i]×m[i+1]
:EndFor
j←1⌈(n-1)⌊x⍸t
u←t-x[j]
v←y[j]+u×(s[j]-h[j]×(m[j+1]+2×m[j])÷6)+u×(m[j]÷2)+u×(m[j+1]-m[j])÷6×h[j]
∇

⍝ Prices and points.
oscillator←{h←14⌈/⍵ ⋄ l←14⌊/⍵ ⋄ 3+/100×((13↓⍵)-l)÷h-l}
crossed←{a←⍵[;1] ⋄ b←⍵[;2] ⋄ c←⍵[;3] ⋄ d←⍵[;4] ⋄ u←c-a ⋄ v←d-b ⋄ s←0<(u×⍤0 1⊢b∘.(-⍨)b)-v×⍤0 1⊢a∘.(-⍨)a ⋄ t←0<(u×⍤0 1⊢b∘.(-⍨)d)-v×⍤0 1⊢a∘.(-⍨)c ⋄ 2÷⍨+/,(s≠t)∧⍉s≠t}
