⍝ Programs of ten kinds, as they are published. third.c has each by hand, and third_rows.py what they are called with.

⍝ Puzzles.
increases←{+/2</3+/⍵}
lowPoints←{u←(1↓⍵)⍪9 ⋄ d←9⍪¯1↓⍵ ⋄ l←(0 1↓⍵),9 ⋄ r←9,0 ¯1↓⍵ ⋄ +/,(1+⍵)×⍵<u⌊d⌊l⌊r}
visible←{f←{⍵>¯1,0 ¯1↓⌈\⍵} ⋄ +/,(f ⍵)∨(⌽f⌽⍵)∨(⍉f⍉⍵)∨⍉⌽f⌽⍉⍵}
gardens←{m←'.'=⍵ ⋄ +/,({m∧(1⌽⍵)∨(¯1⌽⍵)∨(1⊖⍵)∨¯1⊖⍵}⍣⍺)'S'=⍵}
fish←{+/({1000007|(1⌽⍵)+(⊃⍵)×7=⍳9}⍣⍺)+/(¯1+⍳9)∘.=⍵}
∇ r←leastPath c;s;row
r←+\c[1;]
:For row :In 1↓⍳≢c
    s←+\c[row;]
    r←s+⌊\r-0,¯1↓s
:EndFor
r←⊃⌽r
∇
lookAndSay←{≢({i←⍸1,2≠/⍵ ⋄ ,((1↓i,1+≢⍵)-i),[1.5]⍵[i]}⍣⍵),1}
luhn←{d←⍵×⍤1⊢16⍴2 1 ⋄ +/0=10|+/d-9×d>9}

⍝ Numbers.
∇ b←sieve n;p
b←n⍴1=1
b[1]←0
:For p :In ⍳⌊n*0.5
    :If b[p]
        b[p×1↓⍳⌊n÷p]←0
    :EndIf
:EndFor
∇
coprimes←{+/,1=(⍳⍵)∘.∨⍳⍵}
pascal←{({1000007|(0,⍵)+⍵,0}⍣⍵),1}
∇ w←n change coins;c
w←(n+1)↑1
:For c :In coins
    w←(n+1)↑,+⍀((⌈(n+1)÷c),c)⍴w,c⍴0
:EndFor
∇
∇ r←josephus n;i
r←0
:For i :In 1↓⍳n
    r←i|r+3
:EndFor
∇
∇ r←b power e;p
r←(≢b)⍴1
p←b
:While ∨/e>0
    r←1000003|r×1+(p-1)×2|e
    p←1000003|p×p
    e←⌊e÷2
:EndWhile
∇
∇ n←mandelbrot c;z
z←c
n←(⍴c)⍴0
:For _ :In ⍳30
    z←c+z×z
    n+←2>|z
:EndFor
∇

⍝ Finance.
∇ v←n american given;s;k;u;d;p;i;x
(s k u d)←given
p←((÷d)-÷u)÷u-÷u
x←s×u*(2×0,⍳n)-n
v←0⌈k-x
:For i :In ⍳n
    x←(1↓x)÷u
    v←(k-x)⌈d×(p×1↓v)+(1-p)×¯1↓v
:EndFor
v←⊃v
∇
returns←{c←⍵ ⋄ t←¯1+⍳¯1↑⍴c ⋄ ({d←c×(1+⍵)∘.*-t ⋄ ⍵+(+/d)×(1+⍵)÷d+.×t}⍣8)(≢c)⍴0.1}
resampled←{m←((⌊(≢⍵)÷60),60)⍴⍵ ⋄ ⍉(4,≢m)⍴m[;1],(⌈/m),(⌊/m),m[;60]}
imbalance←{w←÷⍳5 ⋄ ((⍺-⍵)+.×w)÷(⍺+⍵)+.×w}
∇ r←steps circle s;x;y
r←0
:For _ :In ⍳steps
    s←2147483647|16807×s
    x←s÷2147483647
    s←2147483647|16807×s
    y←s÷2147483647
    r+←+/1>(x*2)+y*2
:EndFor
∇
calls←{k←100 ⋄ t←0.5 ⋄ v←⍵×t*0.5 ⋄ a←((⍟⍺÷k)+t×0.02+0.5×⍵*2)÷v ⋄ n←{x←|⍵ ⋄ q←÷1+0.2316419×x ⋄ p←0.3989423×(*-0.5×x*2)×q×0.31938153+q×¯0.356563782+q×1.781477937+q×¯1.821255978+q×1.330274429 ⋄ (p×⍵<0)+(1-p)×⍵≥0} ⋄ (⍺×n a)-(k×*-0.02×t)×n a-v}

⍝ Signals.
filtered←{⍺+.×⍵[(¯1+⍳≢⍺)∘.+⍳1+(≢⍵)-≢⍺]}
∇ y←biquad x;a;b;c;d;i
y←x×0.0
a←b←c←d←0.0
:For i :In ⍳≢x
    y[i]←((0.2×x[i])+(0.4×a)+0.2×b)-(0.1×d)-0.3×c
    b←a
    a←x[i]
    d←c
    c←y[i]
:EndFor
∇
∇ x←fft x;n;l;m;w;a;b
n←≢x
l←1
:While l<n
    m←⌊n÷2×l
    w←*(0J¯1×(○1)÷l)×¯1+⍳l
    a←(m,l)⍴x
    b←(m,l)⍴(m×l)↓x
    b←(⍴b)⍴b×(⍴b)⍴w
    x←,(a+b),a-b
    l←2×l
:EndWhile
∇
∇ p←f goertzel x;c;a;b;t;i
c←2×2○f
a←b←f×0.0
:For i :In x
    t←i+(c×a)-b
    b←a
    a←t
:EndFor
p←(a*2)+(b*2)-a×b×c
∇
∇ r←haar x;d;m
r←0⍴0.0
:While 1<≢x
    m←((⌊(≢x)÷2),2)⍴x
    r←((m[;1]-m[;2])÷2),r
    x←(m[;1]+m[;2])÷2
:EndWhile
r←x,r
∇
dct←{m←(0.5×(÷2*0.5),7⍴1)×[1]2○((○1)÷16)×(¯1+⍳8)∘.×¯1+2×⍳8 ⋄ m{⍺+.×⍵+.×⍉⍺}⍤2⊢⍵}
interpolated←{i←⌊⍵ ⋄ f←⍵-i ⋄ (⍺[i]×1-f)+⍺[i+1]×f}

⍝ Images.
resized←{n←⍺ ⋄ p←1+(¯1+≢⍵)×(¯1+⍳n)÷n ⋄ i←⌊p ⋄ f←p-i ⋄ a←(⍵[i;]×[1]1-f)+⍵[i+1;]×[1]f ⋄ (a[;i]×[2]1-f)+a[;i+1]×[2]f}
∇ o←dithered a;i;j;e;n;m
(n m)←⍴a
o←(⍴a)⍴0
a←(a,0),[1]0
a←0,a
:For i :In ⍳n
    :For j :In 1+⍳m
        o[i;j-1]←a[i;j]≥128
        e←a[i;j]-255×a[i;j]≥128
        a[i;j+1]+←e×7÷16
        a[i+1;j-1]+←e×3÷16
        a[i+1;j]+←e×5÷16
        a[i+1;j+1]+←e÷16
    :EndFor
:EndFor
∇
boxed←{s←0⍪0,+⍀+\⍵ ⋄ ⌊((11 11↓s)+(¯11 ¯11↓s)-(11 ¯11↓s)+¯11 11↓s)÷121}
opened←{{∨/,⍵}⌺3 3{∧/,⍵}⌺3 3⊢⍵}
greatestNear←{{⌈/,⍵}⌺5 5⊢⍵}
binomial←{{⌊(+/,⍵×5 5⍴1 4 6 4 1 4 16 24 16 4 6 24 36 24 6 4 16 24 16 4 1 4 6 4 1)÷256}⌺5 5⊢⍵}
softened←{({m←(⊣⌿⍵)⍪⍵⍪⊢⌿⍵ ⋄ p←(⊣/m),m,⊢/m ⋄ r←(0 ¯2↓p)+(0 1↓0 ¯1↓p)+0 2↓p ⋄ ((¯2↓r)+(1↓¯1↓r)+2↓r)÷9}⍣⍺)⍵}
labelled←{m←⍵ ⋄ ({m×⍵⌈(1⌽⍵)⌈(¯1⌽⍵)⌈(1⊖⍵)⌈¯1⊖⍵}⍣⍺)m×(⍴m)⍴⍳×/⍴m}
hues←{r←⍵[;1] ⋄ g←⍵[;2] ⋄ b←⍵[;3] ⋄ x←r⌈g⌈b ⋄ d←x-r⌊g⌊b ⋄ h←(d×0)+(x=r)×g-b ⋄ h+←(x≠r)×(x=g)×(b-r)+2×d ⋄ h+←(x≠r)×(x≠g)×(r-g)+4×d ⋄ 360|60×h÷1⌈d}

⍝ Learning.
kmeans←{a←{⍵⍳⌊/⍵}⍤1⊢((⍺[;1]∘.-⍵[;1])*2)+(⍺[;2]∘.-⍵[;2])*2 ⋄ m←a∘.=⍳≢⍵ ⋄ ((⍉m)+.×⍺)÷[1]1⌈+⌿m}
gradient←{w←⍺ ⋄ x←0 1↓⍵ ⋄ y←⍵[;1] ⋄ ((⍉x)+.×(÷1+*-x+.×w)-y)÷≢y}
attention←{s←(⍺+.×⍉⍵)÷8 ⋄ e←*s-⍤1 0⊢⌈/s ⋄ (e÷⍤1 0⊢+/e)+.×⍵}
adam←{w←⍵[1;] ⋄ m←(0.9×⍵[2;])+0.1×⍵[4;] ⋄ v←(0.999×⍵[3;])+0.001×⍵[4;]*2 ⋄ w-0.001×(m÷0.1)÷1E¯8+(v÷0.001)*0.5}
pooled←{k←⍺ ⋄ c←0⌈{+/,k×⍵}⌺3 3⊢⍵ ⋄ (r s)←⌊(⍴c)÷2 ⋄ ⌈/⌈/[2](r,2,s,2)⍴c}
entropy←{l←⍵-⍤1 0⊢⌈/⍵ ⋄ n←≢⍵ ⋄ (+/(⍟+/*l)-(,l)[⍺+10×¯1+⍳n])÷n}
neighbours←{x←⍺ ⋄ {5↑⍋+/(x-⍤1⊢⍵)*2}⍤1⊢⍵}

⍝ Matrices and graphs.
∇ r←closure r;k
:For k :In ⍳≢r
    r←r∨r[;k]∘.∧r[k;]
:EndFor
∇
shortest←{({⍵⌊⍵⌊.+⍵}⍣3)⍵}
∇ q←orthonormal q;k;j
:For k :In ⍳¯1↑⍴q
    :For j :In ⍳k-1
        q[;k]-←q[;j]×q[;j]+.×q[;k]
    :EndFor
    q[;k]÷←(q[;k]+.×q[;k])*0.5
:EndFor
∇
∇ a←lu a;k;i
:For k :In ⍳¯1+≢a
    i←k↓⍳≢a
    a[i;k]÷←a[k;k]
    a[i;i]-←a[i;k]∘.×a[k;i]
:EndFor
∇
∇ x←a seidel b;i;_
x←b×0.0
:For _ :In ⍳5
    :For i :In ⍳≢b
        x[i]+←(b[i]-a[i;]+.×x)÷a[i;i]
    :EndFor
:EndFor
∇
∇ x←a conjugate b;r;p;s;t;q;_
x←b×0.0
r←p←b
s←r+.×r
:For _ :In ⍳20
    q←a+.×p
    t←s÷p+.×q
    x+←t×p
    r-←t×q
    t←s
    s←r+.×r
    p←r+p×s÷t
:EndFor
∇
sparse←{y←(≢⍺)⍴0.0 ⋄ y[⍵[1;]]+←⍵[3;]×⍺[⍵[2;]] ⋄ y}

⍝ Texts.
adler←{n←≢⍵ ⋄ (65521|1++/⍵)+65536×65521|n++/⍵×1+n-⍳n}
fnv←{{4294967296|16777619×⍺ ⎕INT32XOR ⍵}/(⌽⍵),2166136261}⍤1
vigenere←{a←⎕A ⋄ a[1+26|(a⍳⍵)+(≢⍵)⍴(a⍳⍺)-2]}
depths←{d←+\('('=⍵)-')'=⍵ ⋄ (0=⊃⌽d)×(∧/0≤d)×⌈/d}
∇ r←t automaton s;c;q
q←1
r←0
:For c :In s
    q←t[q;c]
    r+←q=3
:EndFor
∇
hexed←{,'0123456789abcdef'[1+⍉16 16⊤⍵]}
commonest←{⌈/{≢⍵}⌸(⍵≠' ')⊆⍵}
anagrams←{⌈/{≢⍵}⌸{⍵[⍋⍵]}⍤1⊢⍵}
listed←{1↓∊',',¨⍕¨⍵}

⍝ Physics.
∇ e←n bodies given;x;v;m;d;f;_
x←given[⍳3;]
v←given[3+⍳3;]
m←given[7;]
:For _ :In ⍳n
    d←{⍵∘.-⍵}⍤1⊢x
    v-←0.001×+/d×⍤2⊢m×⍤1⊢(0.01++⌿d*2)*¯1.5
    x+←0.001×v
:EndFor
e←+/m×+⌿v*2
∇
∇ u←n wave u;v;w;_
v←u
:For _ :In ⍳n
    w←(2×u)-v-0.2×(1⌽u)+(¯1⌽u)+(1⊖u)+(¯1⊖u)-4×u
    v←u
    u←w
:EndFor
∇
∇ s←r metropolis s;b;e;k
b←2|(⍳≢s)∘.+⍳≢s
:For k :In 0 1
    e←2×s×(1⌽s)+(¯1⌽s)+(1⊖s)+¯1⊖s
    s←s×1-2×(b=k)∧r<*-0.4×e
:EndFor
∇
lattice←{x←0 1 0 ¯1 0 1 ¯1 ¯1 1 ⋄ y←0 0 1 0 ¯1 1 1 ¯1 ¯1 ⋄ w←(4÷9),(4⍴÷9),4⍴÷36 ⋄ f←⍵ ⋄ r←+⌿f ⋄ u←(x+.×f)÷r ⋄ v←(y+.×f)÷r ⋄ q←(x∘.×u)+y∘.×v ⋄ g←f+0.6×((w∘.×r)×1+(3×q)+(4.5×q*2)-(⍴q)⍴1.5×(u*2)+v*2)-f ⋄ (-y)⊖⍤0 2⊢(-x)⌽⍤0 2⊢g}
∇ s←n lorenz s;f;a;b;c;d
f←{(10×⍵[2]-⍵[1]),((⍵[1]×14-⍵[3])-⍵[2]),(⍵[1]×⍵[2])-⍵[3]×8÷3}
:For _ :In ⍳n
    a←f s
    b←f s+0.005×a
    c←f s+0.005×b
    d←f s+0.01×c
    s←s+(0.01÷6)×a+(2×b)+(2×c)+d
:EndFor
∇

⍝ Tables.
summaries←{⍺{(+/⍵),(⌊/⍵),(⌈/⍵),≢⍵}⌸⍵}
sessions←{i←⍋⍵ ⋄ j←i[⍋⍺[i]] ⋄ u←⍺[j] ⋄ t←⍵[j] ⋄ 1++/(2≠/u)∨1800<(1↓t)-¯1↓t}
pivot←{t←240⍴0.0 ⋄ t[⍵[;2]+24×⍵[;1]-1]+←⍺ ⋄ 10 24⍴t}
seen←{+\≠⍵}
highest←{100⌈/⍵}
bests←{r←1000⍴¯1 ⋄ r[⍺]⌈←⍵ ⋄ r}
matched←{+/⍺[;2]×⍺[;1]∊⍵}
