⍝ Numeric programs of finance, statistics, physics, images and signals. numeric.c has each by hand, and
⍝ numeric_rows.py what they are called with.

⍝ Finance.
rollingBeta←{n←⍺ ⋄ x←⍵[1;] ⋄ y←⍵[2;] ⋄ a←n+/x ⋄ b←n+/y ⋄ ((n×n+/x×y)-a×b)÷(n×n+/x×x)-a×a}
∇ h←p garch r;w;a;b;i
(w a b)←p
h←(≢r)⍴(r+.×r)÷≢r
:For i :In 1↓⍳≢r
    h[i]←w+(a×r[i-1]*2)+b×h[i-1]
:EndFor
∇
impliedVol←{k←⍵[1;] ⋄ t←⍵[2;] ⋄ p←⍵[3;] ⋄ s←⍺ ⋄ q←t*0.5 ⋄ n←{x←|⍵ ⋄ u←÷1+0.2316419×x ⋄ p←0.3989423×(*-0.5×x*2)×u×0.31938153+u×¯0.356563782+u×1.781477937+u×¯1.821255978+u×1.330274429 ⋄ (p×⍵<0)+(1-p)×⍵≥0} ⋄ ({d←((⍟s÷k)+0.5×t×⍵*2)÷⍵×q ⋄ f←(s×n d)-k×n d-⍵×q ⋄ ⍵-(f-p)÷s×q×0.3989423×*-0.5×d*2}⍣5)(≢k)⍴0.3}
∇ v←p heston z;k;m;s;r;d;x;y;w;i
(k m s r d)←p
x←(≢z[1;1;])⍴0.0
y←(≢x)⍴m
:For i :In ⍳≢z[1;;1]
    w←(d×0⌈y)*0.5
    x+←(w×z[1;i;])-0.5×d×0⌈y
    y+←(k×d×m-0⌈y)+s×w×(r×z[1;i;])+((1-r*2)*0.5)×z[2;i;]
:EndFor
v←(+/0⌈¯1+*x)÷≢x
∇
∇ v←p longstaff z;s;k;r;a;d;x;c;m;b;e;u;i
(s k r a d)←p
x←s×*+\(d×r-0.5×a*2)+a×(d*0.5)×z
c←0⌈k-x[;⊃⌽⍴x]
:For i :In ⌽⍳¯1+⊃⌽⍴x
    c×←*-r×d
    u←x[;i]÷k
    m←u<1
    b←(m/c)⌹(m/u)∘.*0 1 2
    e←k×1-u
    m←m∧e>b[1]+u×b[2]+u×b[3]
    c←(e×m)+c×~m
:EndFor
v←(*-r×d)×(+/c)÷≢c
∇
∇ d←discounts r;a;i
d←r×0
a←0×r[1;]
:For i :In ⍳≢r
    d[i;]←(1-r[i;]×a)÷1+r[i;]
    a+←d[i;]
:EndFor
∇
riskShares←{d←⍵-⍤1⊢(+⌿⍵)÷≢⍵ ⋄ s←((⍉d)+.×d+.×⍺)÷≢⍵ ⋄ (⍺×s)÷⍺+.×s}
shortfall←{p←⍵+.×⍺ ⋄ k←⌊0.05×≢p ⋄ s←k↑p[⍋p] ⋄ -s[k],(+/s)÷k}

⍝ Signals.
∇ e←p kalman y;q;r;x;v;k;i
(q r)←p
x←y[1;]
v←(≢x)⍴r
e←y×0
:For i :In ⍳≢y
    v+←q
    k←v÷v+r
    x+←k×y[i;]-x
    v×←1-k
    e[i;]←x
:EndFor
∇
∇ y←c bank x;a;b;i
y←((≢x),¯1↑⍴c)⍴0.0
a←b←0×c[1;]
:For i :In ⍳≢x
    y[i;]←a+c[1;]×x[i]
    a←b+(c[2;]×x[i])-c[4;]×y[i;]
    b←(c[3;]×x[i])-c[5;]×y[i;]
:EndFor
∇

⍝ Statistics.
bootstrapped←{m←(+/⍵[⍺])÷¯1↑⍴⍺ ⋄ s←m[⍋m] ⋄ s[⌈0.025 0.975×≢s]}
density←{h←0.1 ⋄ (+/*-0.5×((⍺∘.-⍵)÷h)*2)÷h×(≢⍵)×(○2)*0.5}
mixture←{r←(⍺[1;]÷⍺[3;])×⍤1⊢*-0.5×((⍵∘.-⍺[2;])÷⍤1⊢⍺[3;])*2 ⋄ r←r÷⍤1 0⊢+/r ⋄ n←+⌿r ⋄ m←(⍵+.×r)÷n ⋄ (3,≢n)⍴(n÷≢⍵),m,(((⍵*2)+.×r)÷n)-m*2}
kolmogorov←{a←⍺[⍋⍺] ⋄ b←⍵[⍋⍵] ⋄ v←a,b ⋄ ⌈/|((a⍸v)÷≢a)-(b⍸v)÷≢b}
theilSen←{n←≢⍵ ⋄ m←(⍳n)∘.<⍳n ⋄ s←(,m)/,(⍵∘.-⍵)÷⍺∘.-⍺ ⋄ s[(⌈0.5×≢s)⊃⍋s]}

⍝ Physics.
∇ r←n prey given;x;y;f;g;h;a;b;c;d;p;q;s;t;_
x←given[1;]
y←given[2;]
h←0.01
f←{⍺×1.1-0.4×⍵}
g←{⍵×(0.1×⍺)-0.4}
:For _ :In ⍳n
    a←x f y
    p←x g y
    b←(x+0.5×h×a)f y+0.5×h×p
    q←(x+0.5×h×a)g y+0.5×h×p
    c←(x+0.5×h×b)f y+0.5×h×q
    s←(x+0.5×h×b)g y+0.5×h×q
    d←(x+h×c)f y+h×s
    t←(x+h×c)g y+h×s
    x+←(h÷6)×a+d+2×b+c
    y+←(h÷6)×p+t+2×q+s
:EndFor
r←(2,≢x)⍴x,y
∇
lennard←{b←⍺ ⋄ f←{d←⍵∘.-⍵ ⋄ d-b×⌊0.5+d÷b} ⋄ n←¯1↑⍴⍵ ⋄ x←f ⍵[1;] ⋄ y←f ⍵[2;] ⋄ z←f ⍵[3;] ⋄ r←(x*2)+(y*2)+(z*2)+1E30×(⍳n)∘.=⍳n ⋄ s←(r<9)÷r×r×r ⋄ w←(48×s×s-0.5)÷r ⋄ (3,n)⍴(+/w×x),(+/w×y),+/w×z}
∇ u←n redBlack f;m;k;w;_
u←f×0
m←2|(⍳≢f)∘.+⍳≢f[1;]
:For _ :In ⍳n
    :For k :In 0 1
        w←(0.25×f+(1⊖u)+(¯1⊖u)+(1⌽u)+¯1⌽u)-u
        u+←1.5×w×m=k
    :EndFor
:EndFor
∇
∇ u←n alternating u;r;g;i;j;m;_
r←0.5
m←≢u
g←m⍴÷1+2×r
:For i :In 1↓⍳m
    g[i]←÷1+r×2-r×g[i-1]
:EndFor
:For _ :In ⍳n
    u+←r×(1⊖u)+(¯1⊖u)-2×u
    u[;1]×←g[1]
    :For j :In 1↓⍳m
        u[;j]←g[j]×u[;j]+r×u[;j-1]
    :EndFor
    :For j :In ⌽⍳m-1
        u[;j]+←r×g[j]×u[;j+1]
    :EndFor
    u+←r×(1⌽u)+(¯1⌽u)-2×u
    u[1;]×←g[1]
    :For i :In 1↓⍳m
        u[i;]←g[i]×u[i;]+r×u[i-1;]
    :EndFor
    :For i :In ⌽⍳m-1
        u[i;]+←r×g[i]×u[i+1;]
    :EndFor
:EndFor
∇

⍝ Matrices.
∇ e←n eigenvalues a;p;q;h;t;c;s;x;y;_
:For _ :In ⍳n
    :For p :In ⍳¯1+≢a
        :For q :In p↓⍳≢a
            :If a[p;q]≠0
                h←(a[q;q]-a[p;p])÷2×a[p;q]
                t←((h≥0)-h<0)÷(|h)+(1+h*2)*0.5
                c←÷(1+t*2)*0.5
                s←t×c
                x←a[p;]
                y←a[q;]
                a[p;]←(c×x)-s×y
                a[q;]←(s×x)+c×y
                x←a[;p]
                y←a[;q]
                a[;p]←(c×x)-s×y
                a[;q]←(s×x)+c×y
            :EndIf
        :EndFor
    :EndFor
:EndFor
e←1 1⍉a
∇

⍝ Images.
rotated←{(r c)←⍴⍵ ⋄ a←2○⍺ ⋄ b←1○⍺ ⋄ i←(⍳r)-r÷2 ⋄ j←(⍳c)-c÷2 ⋄ y←1⌈(r-0.001)⌊(r÷2)+(a×i)∘.-b×j ⋄ x←1⌈(c-0.001)⌊(c÷2)+(b×i)∘.+a×j ⋄ p←⌊y ⋄ q←⌊x ⋄ y-←p ⋄ x-←q ⋄ v←,⍵ ⋄ k←q+c×p-1 ⋄ ((1-y)×(v[k]×1-x)+v[k+1]×x)+y×(v[k+c]×1-x)+v[k+c+1]×x}
∇ r←k correlated m;i;j
r←0×¯6 ¯6↓m
:For i :In ⍳7
    :For j :In ⍳7
        r+←k[i;j]×(⍴r)↑(i-1)↓(0,j-1)↓m
    :EndFor
:EndFor
∇
reach←{f←{j←⍳¯1↑⍴⍵ ⋄ (⌊\⍵-⍤1⊢j)+⍤1⊢j} ⋄ d←1E9×~⍵ ⋄ d←⍉(f d)⌊⌽f⌽d ⋄ ⍉(f d)⌊⌽f⌽d}

⍝ Geometry.
spun←{v←1↓⍺ ⋄ t←2×(v[2 3 1]×⍤1⊢⍵[;3 1 2])-v[3 1 2]×⍤1⊢⍵[;2 3 1] ⋄ ⍵+(⍺[1]×t)+(v[2 3 1]×⍤1⊢t[;3 1 2])-v[3 1 2]×⍤1⊢t[;2 3 1]}
