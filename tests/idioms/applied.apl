⍝ Programs of inference, dynamic programming, random numbers, images, graphs, series, geometry and letters.
⍝ applied.c has each by hand, and applied_rows.py what they are called with.

⍝ Inference.
gelu←{0.5×⍵×1+7○0.7978845608×⍵+0.044715×⍵*3}
layerNorm←{n←¯1↑⍴⍵ ⋄ d←⍵-⍤1 0⊢(+/⍵)÷n ⋄ s←(1E¯5+(+/d*2)÷n)*0.5 ⋄ ⍺[2;]+⍤1⊢⍺[1;]×⍤1⊢d÷⍤1 0⊢s}
topPlaces←{3↑⍒⍵}⍤1
confusion←{(⍉⍺∘.=⍳10)+.×⍵∘.=⍳10}
auc←{p←+/⍺ ⋄ ((+/⍺×⍋⍋⍵)-0.5×p×p+1)÷p×(≢⍺)-p}
embedded←{(+/[2]⍺[⍵;])÷¯1↑⍴⍵}

⍝ Dynamic programming.
∇ d←n fewestCoins coins;c;i
d←0,n⍴1000000
:For c :In coins
    :For i :In c+⍳n+1-c
        d[i]⌊←1+d[i-c]
    :EndFor
:EndFor
∇
∇ r←chain p;m;n;l;i;j;k
n←¯1+≢p
m←(n,n)⍴0
:For l :In ⍳n-1
    :For i :In ⍳n-l
        j←i+l
        k←¯1+i+⍳l
        m[i;j]←⌊/m[i;k]+m[k+1;j]+p[i]×p[k+1]×p[j+1]
    :EndFor
:EndFor
r←m[1;n]
∇
∇ r←increasing v;t;x;k
t←(≢v)⍴1000000000
r←0
:For x :In v
    k←1+(r↑t)⍸x-1
    t[k]←x
    r⌈←k
:EndFor
∇
∇ r←seam e;i
r←e[1;]
:For i :In 1↓⍳≢e
    r←e[i;]+r⌊((1↓r),1E9)⌊1E9,¯1↓r
:EndFor
r←⌊/r
∇
bestSpan←{s←0,+\⍵ ⋄ ⌈/s-⌊\s}
∇ r←a warped b;i;j;d;n
n←≢b
r←0,n⍴1E30
:For i :In ⍳≢a
    d←r
    r←(n+1)⍴1E30
    :For j :In ⍳n
        r[j+1]←(|a[i]-b[j])+d[j]⌊d[j+1]⌊r[j]
    :EndFor
:EndFor
r←⊃⌽r
∇

⍝ Random numbers.
xorshift←{({x←⍵ ⎕INT32XOR ⍵ ⎕INT32SHL 13 ⋄ x←x ⎕INT32XOR x ⎕INT32SHR 17 ⋄ x ⎕INT32XOR x ⎕INT32SHL 5}⍣⍺)⍵}
normals←{r←(¯2×⍟⍺)*0.5 ⋄ a←○2×⍵ ⋄ (r×2○a),r×1○a}
ruin←{+/+/∧\0<10++\¯1+2×⍵}

⍝ Images.
eroded←{⍉15⌊/⍉15⌊/⍵}
blended←{a←⍺[;4]÷255 ⋄ ⌊0.5+(⍵×⍤1 0⊢1-a)+(0 ¯1↓⍺)×⍤1 0⊢a}
pixelated←{(r c)←⌊(⍴⍵)÷8 ⋄ 8⌿8/⌊(+/[2]+/(r,8,c,8)⍴⍵)÷64}
toRgb←{h←⍵[;1]÷60 ⋄ s←⍵[;2] ⋄ v←⍵[;3] ⋄ f←{k←6|⍵+h ⋄ v-v×s×0⌈1⌊k⌊4-k} ⋄ ⌊0.5+255×⍉↑(f 5)(f 3)(f 1)}

⍝ Signals.
decimated←{n←⌊(1+(≢⍵)-≢⍺)÷4 ⋄ ⍵[(4×¯1+⍳n)∘.+⍳≢⍺]+.×⍺}
∇ e←d envelope x;i
e←|x
:For i :In 1↓⍳≢x
    e[i]⌈←d×e[i-1]
:EndFor
∇
crossings←{+/2≠/0≤⍵}

⍝ Graphs.
∇ d←s hops a;f;k
d←(≢a)⍴¯1
f←(⍳≢a)=s
k←0
:While ∨/f
    d[⍸f]←k
    f←(d<0)∧∨⌿f⌿a
    k+←1
:EndWhile
∇
ranked←{n←⍺ ⋄ s←⍵[;1] ⋄ t←⍵[;2] ⋄ d←n⍴0 ⋄ d[s]+←1 ⋄ ({r←n⍴0.15÷n ⋄ r[t]+←(0.85×⍵÷1⌈d)[s] ⋄ r}⍣20)n⍴÷n}
∇ c←n unions e;p;i;a;b
p←⍳n
c←n
:For i :In ⍳≢e
    a←e[i;1]
    b←e[i;2]
    :While a≠p[a]
        p[a]←p[p[a]]
        a←p[a]
    :EndWhile
    :While b≠p[b]
        p[b]←p[p[b]]
        b←p[b]
    :EndWhile
    c-←a≠b
    p[a⌈b]←a⌊b
:EndFor
∇

⍝ Series.
drawdowns←{⌈⌿1-⍵÷⌈⍀⍵}
merged←{v[⍋v←⍺,⍵]}
crossover←{f←(40↓10+/⍵)÷10 ⋄ s←(50+/⍵)÷50 ⋄ r←¯1+(50↓⍵)÷49↓¯1↓⍵ ⋄ +/r×¯1↓f>s}
asOf←{⍺[⍺[;1]⍸⍵;2]}
filledForward←{⍵[⌈\1⌈(⍳≢⍵)×⍵≠0]}
bars←{(⌊⍺÷60){(⊃⍵),(⌈/⍵),(⌊/⍵),⊃⌽⍵}⌸⍵}

⍝ Geometry.
inside←{x←⍺[;1] ⋄ y←⍺[;2] ⋄ u←1⌽x ⋄ v←1⌽y ⋄ p←⍵[;1] ⋄ q←⍵[;2] ⋄ +/≠/((q∘.<y)≠q∘.<v)∧p<⍤0 1⊢x+⍤1⊢(q∘.-y)×⍤1⊢(u-x)÷v-y}
haversines←{a←⍺×○÷180 ⋄ b←⍵×○÷180 ⋄ h←((1○0.5×a[;1]∘.-b[;1])*2)+((2○a[;1])∘.×2○b[;1])×(1○0.5×a[;2]∘.-b[;2])*2 ⋄ 12742×¯1○h*0.5}
closest←{i←⍳≢⍵ ⋄ (⌊/,((⍵[;1]∘.-⍵[;1])*2)+((⍵[;2]∘.-⍵[;2])*2)+1E9×i∘.=i)*0.5}

⍝ Numbers and letters.
harshad←{+/0=(+⌿(7⍴10)⊤⍳⍵)|⍳⍵}
gcds←{+/1=∨/⍵}
complement←{'TGCA'['ACGT'⍳⌽⍵]}
gcWindows←{⌈/100+/⍵∊'GC'}
isograms←{+/{(≢⍵)=≢∪⍵}¨(⍵≠' ')⊆⍵}
scores←{v←⍺ ⋄ ⌈/{+/v[⎕A⍳⍵]}¨(⍵≠' ')⊆⍵}
