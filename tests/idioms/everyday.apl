⍝ Programs of everyday work: prices, samples, models, matrices, graphs, dynamic programming, texts, pictures and
⍝ simulations. everyday.c has each by hand, and everyday_rows.py what they are called with.

⍝ Bonds and loans.
forwards←{d←*-⍵×⍳≢⍵ ⋄ (1,¯1↓d)÷d}
bonds←{a←+\⍺ ⋄ m←⌊⍵[;2] ⋄ (⍵[;1]×a[m])+⍺[m]}
convexities←{t←⍳¯1↑⍴⍵ ⋄ d←⍺*-t ⋄ (⍵+.×d×t×t+1)÷⍵+.×d}
∇ r←internalRates c;t;d;_
t←¯1+⍳¯1↑⍴c
r←(≢c)⍴0.1
:For _ :In ⍳8
    d←(1+r)∘.*-t
    r+←(+/c×d)×(1+r)÷+/c×t×⍤1⊢d
:EndFor
∇
schedule←{(p r n)←⍵ ⋄ k←⍳n ⋄ a←p×r÷1-(1+r)*-n ⋄ b←(p×(1+r)*k)-a×(¯1+(1+r)*k)÷r ⋄ ⍉↑(a-r×p,¯1↓b)(r×p,¯1↓b)b}

⍝ Markets.
∇ s←l riskMetrics r;i
s←((⍉r)+.×r)÷≢r
:For i :In ⍳≢r
    s←(l×s)+(1-l)×r[i;]∘.×r[i;]
:EndFor
∇
vwap←{(⌊⍺÷60){(+/×/⍵)÷+/⍵[;2]}⌸⍵}
binPrices←{b←⌊⍺÷60 ⋄ n←1+⌈/b ⋄ v←q←n⍴0.0 ⋄ v[1+b]+←×/⍵ ⋄ q[1+b]+←⍵[;2] ⋄ v÷q}
microPrices←{(b a p q)←↓⍉⍵ ⋄ s←p+q ⋄ ((b×q)+a×p)÷s}
∇ r←n book e;b;a;i
b←a←n⍴0
r←(≢e)⍴0
:For i :In ⍳≢e
    :If e[i;1]=1
        b[e[i;2]]←e[i;3]
    :Else
        a[e[i;2]]←e[i;3]
    :EndIf
    r[i]←(a⍳⍥(0∘<)1)-⌈/(b>0)×⍳n
:EndFor
∇
trueRange←{(h l c)←↓⍵ ⋄ p←¯1↓c ⋄ (+/14↑r)÷14⊣r←(1↓h-l)⌈(|(1↓h)-p)⌈|(1↓l)-p}
∇ w←p winters x;l;t;s;i;j;o
(l t)←x[1],0
s←12⍴0.0
w←0×x
:For i :In ⍳≢x
    j←1+12|i-1
    w[i]←l+t+s[j]
    o←l
    l←(p[1]×x[i]-s[j])+(1-p[1])×l+t
    t←(p[2]×l-o)+(1-p[2])×t
    s[j]←(p[3]×x[i]-l)+(1-p[3])×s[j]
:EndFor
∇

⍝ Samples.
spearman←{n←≢⍵ ⋄ 1-(6×+/((⍋⍋⍺)-⍋⍋⍵)*2)÷n×¯1+n*2}
kendall←{n←≢⍵ ⋄ (+/,(×⍺∘.-⍺)××⍵∘.-⍵)÷n×n-1}
jackknife←{n←≢⍵ ⋄ v←((+/⍵*2)-⍵*2)÷n-1 ⋄ m←((+/⍵)-⍵)÷n-1 ⋄ s←(v-m*2)*0.5 ⋄ (((n-1)÷n)×+/(s-(+/s)÷n)*2)*0.5}
signTest←{(+/(|⍺+.×⍵)≥|+/⍵)÷≢⍺}
outliers←{med←{(⍵[⍋⍵])[⌈0.5×≢⍵]} ⋄ d←|⍵-med ⍵ ⋄ +/3<d÷1.4826×med d}
correlations←{d←⍵-⍤1⊢(+⌿⍵)÷≢⍵ ⋄ c←(⍉d)+.×d ⋄ s←(1 1⍉c)*0.5 ⋄ c÷s∘.×s}
variance←{n←10⍴0 ⋄ s←q←10⍴0.0 ⋄ n[⍺]+←1 ⋄ s[⍺]+←⍵ ⋄ q[⍺]+←⍵*2 ⋄ m←s÷n ⋄ w←+/q-n×m*2 ⋄ ((+/n×(m-(+/s)÷+/n)*2)÷9)÷w÷(+/n)-10}

⍝ Models.
vote←{p←0 ¯1↓⍺ ⋄ c←⍺[;5] ⋄ {⊃⍒+/(⍳4)∘.=c[9↑⍋+/(p-⍤1⊢⍵)*2]}⍤1⊢⍵}
newtonSteps←{x←⍺ ⋄ y←⍵ ⋄ ({p←÷1+*-x+.×⍵ ⋄ ⍵+((⍉x)+.×y-p)⌹(⍉x)+.×x×⍤1 0⊢p×1-p}⍣6)(¯1↑⍴x)⍴0.0}
tfidf←{⍵×⍤1⊢⍟(≢⍵)÷1⌈+⌿0<⍵}
cosines←{u←⍵÷⍤1 0⊢(+/⍵*2)*0.5 ⋄ u+.×⍉u}
fitted←{⍺{⍺+.×⍵⌹⍺}⍥⊢⍵}
∇ l←o forward e;t;a;p;i
(t a)←o
p←(≢t)÷⍨(≢t)⍴1.0
l←0.0
:For i :In e
    p←(p+.×t)×a[;i]
    l+←⍟+/p
    p÷←+/p
:EndFor
∇

⍝ Matrices.
∇ r←householder a;n;k;v;x
r←a
n←¯1↑⍴a
:For k :In ⍳n
    x←(k-1)↓r[;k]
    v←x
    v[1]+←(¯1*v[1]<0)×(x+.×x)*0.5
    v÷←(v+.×v)*0.5
    r[(k-1)↓⍳≢a;]-←2×v∘.×v+.×(k-1)↓r
:EndFor
r←(∘.≤⍨⍳n)×n↑r
∇
dominant←{m←⍵ ⋄ v←({x÷(x+.×x←m+.×⍵)*0.5}⍣⍺)(≢⍵)⍴1.0 ⋄ v+.×m+.×v}
steady←{p←⍵ ⋄ ({⍵+.×p}⍣⍺)(≢⍵)÷⍨(≢⍵)⍴1.0}
barycentric←{(x y)←↓⍺ ⋄ w←÷×/(x∘.-x)+(⍳≢x)∘.=⍳≢x ⋄ q←w÷⍤1⊢⍵∘.-x ⋄ (q+.×y)÷+/q}
∇ c←divided p;x;k
(x c)←↓p
:For k :In ⍳¯1+≢x
    c[k↓⍳≢x]←(2-⍨/(k-1)↓c)÷(k↓x)-(-k)↓x
:EndFor
∇
rowsTimes←{(v c p)←⍺ ⋄ s←0,+\v×⍵[⌊c] ⋄ 2-⍨/s[⌊p]}
fibonacciPower←{m←⍺ ⋄ ⊃({m|⍵+.×2 2⍴1 1 1 0}⍣⍵)2 2⍴1 0 0 1}

⍝ Graphs.
∇ d←s dijkstra w;n;u;f;k
n←≢w
d←n⍴1E9
d[s]←0
f←n⍴1
:For k :In ⍳n
    u←(⊢⍳⌊/)d+1E10×~f
    f[u]←0
    d⌊←d[u]+w[u;]
:EndFor
∇
∇ t←spanning w;n;k;d;f;u
n←≢w
f←1,(n-1)⍴0
d←w[1;]
t←0.0
:For k :In ⍳n-1
    u←⊃⍋d+1E9×f
    t+←d[u]
    f[u]←1
    d⌊←w[u;]
:EndFor
∇
∇ d←n relaxed e;i;k;f;t;w
(f t w)←↓⍉e
d←0,(n-1)⍴1000000
:For k :In ⍳20
    :For i :In ⍳≢f
        d[t[i]]⌊←d[f[i]]+w[i]
    :EndFor
:EndFor
∇
∇ l←labels e;n;a;b;o
n←⌈/,e
(a b)←↓⍉e
l←⍳n
:Repeat
    o←l
    l[a]⌊←l[b]
    l[b]⌊←l[a]
:Until o≡l
∇
reached←{a←⍵ ⋄ s←(≢a)⍴0 ⋄ s[⍺]←1 ⋄ {⍵∨a∨.∧⍵}⍣≡s}
levels←{a←⍵ ⋄ d←(≢a)⍴¯1 ⋄ k←0 ⋄ d⊣{d[⍸⍵]←k ⋄ k+←1 ⋄ (d<0)∧a∨.∧⍵}⍣{~∨/⍺}(≢a)↑1}

⍝ Tables of dynamic programming.
∇ r←a needleman b;m;i;j
m←(1+(≢a),≢b)⍴0
m[;1]←-2×0,⍳≢a
m[1;]←-2×0,⍳≢b
:For i :In ⍳≢a
    :For j :In ⍳≢b
        m[i+1;j+1]←(m[i;j]+(¯1 1)[1+a[i]=b[j]])⌈¯2+m[i;j+1]⌈m[i+1;j]
    :EndFor
:EndFor
r←m[1+≢a;1+≢b]
∇
∇ r←a commonSpan b;d;i
d←(≢b)⍴0
r←0
:For i :In ⍳≢a
    d←(a[i]=b)×1+0,¯1↓d
    r⌈←⌈/d
:EndFor
∇
∇ r←n subsetSums w;i
r←1,n⍴0
:For i :In w
    r∨←(n+1)↑(i⍴0),r
:EndFor
r←+/r
∇

⍝ Texts.
base64←{(⎕A,(⎕C ⎕A),⎕D,'+/')[1+2⊥⍉(((8×≢⍵)÷6),6)⍴,⍉(8⍴2)⊤⎕UCS ⍵]}
railFence←{⍵[⍋(≢⍵)⍴1 2 3 4 3 2]}
amounts←{+/{0.01×10⊥¯1+⎕D⍳⍵~'.'}¨{⊃⌽(⍵≠',')⊆⍵}¨(⍵≠⎕UCS 10)⊆⍵}
trigrams←{n←27*3 ⋄ c←n⍴0 ⋄ c[1+27⊥¯1+(' ',⎕C ⎕A)⍳↑(¯2↓⍵)(1↓¯1↓⍵)(2↓⍵)]+←1 ⋄ ⌈/c}
∇ r←polish t;s;n;c
s←100⍴0
n←0
:For c :In t
    :If c∊⎕D
        n+←1
        s[n]←¯1+⎕D⍳c
    :Else
        n-←1
        :Select c
        :Case '+'
            s[n]+←s[n+1]
        :Case '-'
            s[n]-←s[n+1]
        :Else
            s[n]←997|s[n]×s[n+1]
        :EndSelect
    :EndIf
:EndFor
r←s[1]
∇

⍝ Pictures.
∇ d←distanceTransform m;i;j;r;c
(r c)←⍴m
d←1000000×m
:For i :In 1↓⍳r
    :For j :In 1↓⍳c-1
        d[i;j]⌊←(4+⌊/d[i-1;j-1 ¯1])⌊3+d[i-1;j]⌊d[i;j-1]
    :EndFor
:EndFor
:For i :In ⌽⍳r-1
    :For j :In ⌽1↓⍳c-1
        d[i;j]⌊←(4+⌊/d[i+1;j-1 ¯1])⌊3+d[i+1;j]⌊d[i;j+1]
    :EndFor
:EndFor
∇
hough←{a←○(¯1+⍳⍺)÷⍺ ⋄ r←⌊0.5+((2○a)∘.×⍵[;1])+(1○a)∘.×⍵[;2] ⋄ c←(⍺×400)⍴0 ⋄ c[,(200+r)+(400×¯1+⍳⍺)∘.+0×⍵[;1]]+←1 ⋄ ⌈/c}
filled←{m←⍵ ⋄ ({m∧⍵∨(1⊖⍵)∨(¯1⊖⍵)∨(1⌽⍵)∨¯1⌽⍵}⍣≡)(⍴m)⍴1,(×/⍴m)⍴0}
medianAt←{{(,⍵)[(⍋,⍵)[5]]}⌺3 3⊢⍵}
swirled←{n←≢⍵ ⋄ i←(⍳n)-n÷2 ⋄ r←0.005×((i*2)∘.+i*2)*0.5 ⋄ y←1⌈n⌊⌊(n÷2)+((2○r)×⍤1 0⊢0+i)-(1○r)×⍤1⊢i ⋄ x←1⌈n⌊⌊(n÷2)+((1○r)×⍤1 0⊢0+i)+(2○r)×⍤1⊢i ⋄ (,⍵)[x+n×y-1]}
gammas←{t←⌊0.5+255×((¯1+⍳256)÷255)*⍺ ⋄ t[1+⍵]}

⍝ Simulations.
rule←{(k n)←⍺ ⋄ r←⌽(8⍴2)⊤k ⋄ ({r[1+(4×¯1⌽⍵)+(2×⍵)+1⌽⍵]}⍣n)⍵}
∇ r←n ant k;g;x;y;d;u;v
g←(n,n)⍴0
x←y←⌈n÷2
d←0
:For _ :In ⍳k
    g[x;y]←~g[x;y]
    d←4|d+(¯1 1)[1+g[x;y]]
    x←1+n|(x-1)+(0 1 0 ¯1)[1+d]
    y←1+n|(y-1)+(¯1 0 1 0)[1+d]
:EndFor
r←+/,g
∇
∇ v←shuffled r;i;j
v←⍳≢r
:For i :In ⌽1↓⍳≢r
    j←⌈r[i]×i
    v[i j]←v[j i]
:EndFor
∇
barrier←{(s k b)←⍺ ⋄ x←s×*+\⍵ ⋄ (+/(0⌈(⊢/x)-k)×∧/x>b)÷≢⍵}
areaBelow←{4×(+/1≥+/⍵*2)÷≢⍵}

⍝ Numbers and dates.
∇ m←mobius n;p;q
m←n⍴1
q←n⍴1
:For p :In 1↓⍳n
    :If q[p]=1
        q[p×⍳⌊n÷p]←0
        m[p×⍳⌊n÷p]×←¯1
        :If n≥p*2
            m[(p*2)×⍳⌊n÷p*2]←0
        :EndIf
    :EndIf
:EndFor
∇
varints←{e←⍵<128 ⋄ k←+\0,¯1↓e ⋄ p←(⍳≢⍵)-1+(0,⍸e)[1+k] ⋄ r←(+/e)⍴0 ⋄ r[1+k]+←(128|⍵)×128*p ⋄ r}
easter←{a←19|⍵ ⋄ b←⌊⍵÷100 ⋄ c←100|⍵ ⋄ h←30|15+(19×a)+b-(⌊b÷4)+⌊(1+b-⌊(b+8)÷25)÷3 ⋄ l←7|32+(2×4|b)+(2×⌊c÷4)-h+4|c ⋄ m←⌊(a+(11×h)+22×l)÷451 ⋄ 100⊥↑(⌊d÷31)(1+31|d←114+(h+l)-7×m)}
workdays←{d←⍵-⍺ ⋄ w←⌊d÷7 ⋄ f←7|⍺ ⋄ (5×w)+0⌈(5⌊f+d-7×w)-5⌊f}
civil←{z←⍵+719468 ⋄ e←⌊z÷146097 ⋄ d←z-e×146097 ⋄ y←⌊(d-(⌊d÷1460)+(-⌊d÷36524)+⌊d÷146096)÷365 ⋄ p←d-(365×y)+(⌊y÷4)-⌊y÷100 ⋄ m←⌊(2+5×p)÷153 ⋄ q←1+p-⌊(2+153×m)÷5 ⋄ k←m+3-12×m≥10 ⋄ ⍉↑(y+(400×e)+k≤2)k q}
twins←{s←⍵⍴1 ⋄ s[1]←0 ⋄ p←⍸s⊣{s[⍵]:s[⍵×1+⍳¯1+⌊(≢s)÷⍵]←0 ⋄ 0}¨1↓⍳⌊⍵*÷2 ⋄ +/2=2-⍨/p}

⍝ Ledgers, groups and walks.
∇ r←lots t;q;p;h;i;n;k
q←p←(≢t)⍴0
h←1
n←0
r←0
:For i :In ⍳≢t
    :If t[i;1]>0
        n+←1
        q[n]←t[i;1]
        p[n]←t[i;2]
    :Else
        k←-t[i;1]
        :While (k>0)∧h≤n
            :If q[h]≤k
                r+←q[h]×t[i;2]-p[h]
                k-←q[h]
                h+←1
            :Else
                r+←k×t[i;2]-p[h]
                q[h]-←k
                k←0
            :EndIf
        :EndWhile
    :EndIf
:EndFor
∇
∇ r←divergence p;f;s;g;i
f←s←⊃p
g←0.0
r←(≢p)⍴0.0
:For i :In ⍳≢p
    f+←(2÷13)×p[i]-f
    s+←(2÷27)×p[i]-s
    g+←0.2×(f-s)-g
    r[i]←(f-s)-g
:EndFor
∇
∇ r←welford x;n;m;s;d;v
n←0
m←s←0.0
:For v :In x
    n+←1
    d←v-m
    m+←d÷n
    s+←d×v-m
:EndFor
r←m,s÷n-1
∇
mannWhitney←{n←≢⍺ ⋄ m←≢⍵ ⋄ r←⍋⍋⍺,⍵ ⋄ u←(+/n↑r)-n×(n+1)÷2 ⋄ (u-n×m÷2)÷((n×m×n+m+1)÷12)*0.5}
stratified←{g←⍺ ⋄ u←∪g ⋄ u,⍪(u∘.=g)+.×⍵}
binned←{(lo hi k)←⍺ ⋄ b←1⌈k⌊1+⌊k×(⍵-lo)÷hi-lo ⋄ ¯1+{≢⍵}⌸(⍳k),b}
∇ r←c chebyshev x;a;b;t;k
a←b←0×x
:For k :In ⌽1↓c
    t←k+(2×x×a)-b
    b←a
    a←t
:EndFor
r←(⊃c)+(x×a)-b
∇
wandered←{d←4 2⍴1 0 0 1 ¯1 0 0 ¯1 ⋄ +⍀d[⍵;]}
∇ d←steps g;r;c;q;h;t;p;k;v
(r c)←⍴g
d←(r×c)⍴¯1
q←(r×c)⍴0
d[1]←0
q[1]←1
h←1
t←2
v←,g
:While h<t
    p←q[h]
    h+←1
    :For k :In p+1 ¯1,c,-c
        :If (k≥1)∧k≤r×c
        :AndIf (v[k]=0)∧d[k]<0
            d[k]←d[p]+1
            q[t]←k
            t+←1
        :EndIf
    :EndFor
:EndWhile
∇
djb2←{{(2*32)|⍺+33×⍵}/(⌽⎕UCS ⍵),5381}
∇ h←rolling t;c
h←0
:For c :In ⎕UCS t
    h←(1E9+7)|c+31×h
:EndFor
∇
uniforms←{(1↓{⍵,(2*32)|1013904223+1664525×⊃⌽⍵}⍣⍵⊢,42)÷2*32}
∇ r←drunk n;s;p;i
s←1
p←r←0
:For i :In ⍳n
    s←(2*31)|12345+65539×s
    p+←(s>2*30)-s≤2*30
    r⌈←|p
:EndFor
∇
