⍝ More idioms of twelve kinds. more.c has each by hand, and more_rows.py what they are called with.

⍝ Statistics.
covariance←{d←⍵-⍤1⊢(+⌿⍵)÷≢⍵ ⋄ ((⍉d)+.×d)÷¯1+≢⍵}
movingMedian←{{(⍵[⍋⍵])[3]}⍤1⊢⍵[(¯1+⍳(≢⍵)-4)∘.+⍳5]}
gini←{s←⍵[⍋⍵] ⋄ n←≢⍵ ⋄ (+/s×(2×⍳n)-n+1)÷n×+/s}
autocorrelation←{d←⍵-(+/⍵)÷≢⍵ ⋄ ({+/(⍵↓d)×(-⍵)↓d}¨⍳⍺)÷+/d*2}
weightedMedian←{o←⍋⍵ ⋄ c←+\⍺[o] ⋄ ⊃(c≥0.5×+/⍺)/⍵[o]}

⍝ Finance.
∇ r←macd p;f;s;i
r←(≢p)⍴0.0
f←s←p[1]
:For i :In ⍳≢p
    f+←(p[i]-f)×2÷13
    s+←(p[i]-s)×2÷27
    r[i]←f-s
:EndFor
∇
underWater←{i←⍸(⍵=⌈\⍵),1 ⋄ ⌈/(1↓i)-¯1↓i}
bondYields←{c←⍺ ⋄ p←⍵ ⋄ ({a←(1+⍵)*¯10 ⋄ f←(c×(1-a)÷⍵)+(100×a)-p ⋄ g←(c×((10×a×⍵÷1+⍵)-1-a)÷⍵*2)-1000×a÷1+⍵ ⋄ ⍵-f÷g}⍣6)c÷100}
portfolioRisks←{(+/⍺×⍺+.×⍵)*0.5}
asian←{p←100×*+\0.01×⍵ ⋄ (+/0⌈¯100+(+/p)÷¯1↑⍴p)÷≢p}

⍝ Images.
medianFilter←{{(a[⍋a←,⍵])[5]}⌺3 3⊢⍵}
otsu←{h←256⍴0 ⋄ h[1+,⍵]+←1 ⋄ w←+\h ⋄ m←+\h×¯1+⍳256 ⋄ n←⊃⌽w ⋄ ⊃⍒(((m×n÷⊃⌽m)-w)*2)÷1⌈w×n-w}
turned←{⌽⍉⍵}
channels←{{h←256⍴0 ⋄ h[1+⍵]+←1 ⋄ h}⍤1⍉⍵}
convolved←{k←⍺ ⋄ {+/,k×⍵}⌺5 5⊢⍵}
toYuv←{m←3 3⍴0.299 0.587 0.114 ¯0.169 ¯0.331 0.5 0.5 ¯0.419 ¯0.081 ⋄ ⌊0.5 128.5 128.5+⍤1⊢⍵+.×⍉m}

⍝ Texts.
fields←{1+{+/⍵=','}¨(⍵≠⎕UCS 10)⊆⍵}
frequencies←{+/'abcdefghijklmnopqrstuvwxyz'∘.=⍵}
roman←{v←1 5 10 50 100 500 1000['IVXLCDM'⍳⍵] ⋄ +/v×¯1*v<1↓v,0}
base64←{a←'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/' ⋄ a[1+,⍉64 64 64 64⊤256⊥⍉((⌊(≢⍵)÷3),3)⍴⍵]}
titled←{t←⍵ ⋄ i←⍸2</0,⍵≠' ' ⋄ t[i]←1 ⎕C t[i] ⋄ t}
columnSums←{+⌿↑{2⊃',' ⎕VFI ⍵}¨(⍵≠⎕UCS 10)⊆⍵}
∇ r←a levenshtein b;c;i
i←0,⍳≢b
r←i
:For c :In a
    r←i+⌊\((1+r)⌊(1+⊃r),(¯1↓r)+c≠b)-i
:EndFor
r←⊃⌽r
∇

⍝ Graphs.
∇ d←floyd d;k
:For k :In ⍳≢d
    d←d⌊d[;k]∘.+d[k;]
:EndFor
∇
triangles←{(+/,⍵×⍵+.×⍵)÷6}
components←{a←⍵[;1] ⋄ b←⍵[;2] ⋄ ({l←⍵ ⋄ l[a]⌊←l[b] ⋄ l[b]⌊←l[a] ⋄ l}⍣≡)⍳⍺}
pageRank←{m←0.85×⍵÷⍤1⊢+⌿⍵ ⋄ ({(0.15÷≢⍵)+m+.×⍵}⍣20)(≢⍵)⍴÷≢⍵}
degrees←{d←⍺⍴0 ⋄ d[,⍵]+←1 ⋄ d}

⍝ Recurrences.
cubeRoots←{a←⍵ ⋄ ({((2×⍵)+a÷⍵×⍵)÷3}⍣10)a}
∇ x←f thomas d;b;i;m
x←d
b←f[;2]
:For i :In 1↓⍳≢d
    m←f[i;1]÷b[i-1]
    b[i]-←m×f[i-1;3]
    x[i]-←m×x[i-1]
:EndFor
x[≢d]÷←b[≢d]
:For i :In ⌽⍳¯1+≢d
    x[i]←(x[i]-f[i;3]×x[i+1])÷b[i]
:EndFor
∇
∇ r←w knapsack v;d;i
d←10001⍴0
:For i :In ⍳≢v
    d←d⌈(w[i]⍴0),v[i]+(-w[i])↓d
:EndFor
r←⊃⌽d
∇
∇ n←a lcs b;c;r
r←(1+≢b)⍴0
:For c :In a
    r←⌈\r⌈0,(¯1↓r)+c=b
:EndFor
n←⊃⌽r
∇
∇ v←t viterbi e;i
v←e[1;]
:For i :In 1↓⍳≢e
    v←e[i;]+v⌈.+t
:EndFor
∇
streams←{({2147483647|16807×⍵}⍣⍺)⍵}

⍝ Dates and times.
clock←{24 60 60⊤⍵}
seconds←{60⊥10⊥⍉((≢⍵),3 2)⍴¯1+⎕D⍳⍵[;1 2 4 5 7 8]}
monthEnds←{⍵/⍨(2≠/⌊⍵÷100),1}

⍝ Bits.
bitCounts←{+⌿(32⍴2)⊤⍵}
grayDecoded←{2⊥≠⍀(16⍴2)⊤⍵}
bitsReversed←{2⊥⊖(16⍴2)⊤⍵}
hamming←{⍵+.≠⍉⍵}
crc←{t←⍺ ⋄ {(⍵ ⎕INT32SHR 8)⎕INT32XOR t[1+255 ⎕INT32AND ⍵ ⎕INT32XOR ⍺]}/(⌽⍵),0}

⍝ Linear algebra.
jacobi←{m←⍺ ⋄ b←⍵ ⋄ d←1 1⍉m ⋄ ({⍵+(b-m+.×⍵)÷d}⍣10)b÷d}
∇ l←cholesky a;n;j;k
n←≢a
l←a
:For j :In ⍳n
    l[j;j]←l[j;j]*0.5
    k←j↓⍳n
    l[k;j]÷←l[j;j]
    l[k;k]-←l[k;j]∘.×l[k;j]
:EndFor
l←l×(⍳n)∘.≥⍳n
∇
squaredDistances←{g←⍵+.×⍉⍵ ⋄ d←1 1⍉g ⋄ (d∘.+d)-2×g}

⍝ Simulations.
rule30←{({(¯1⌽⍵)≠⍵∨1⌽⍵}⍣⍺)⍵}
heat←{({⍵+0.2×(1⌽⍵)+(¯1⌽⍵)+(1⊖⍵)+(¯1⊖⍵)-4×⍵}⍣⍺)⍵}
sandpile←{({t←⌊⍵÷4 ⋄ (⍵-4×t)+((1↓t)⍪0)+(0⍪¯1↓t)+((0 1↓t),0)+0,0 ¯1↓t}⍣⍺)⍵}
gravity←{x←⍵[1;] ⋄ y←⍵[2;] ⋄ z←⍵[3;] ⋄ a←x∘.-x ⋄ b←y∘.-y ⋄ c←z∘.-z ⋄ w←⍺×[1]((a*2)+(b*2)+(c*2)+0.01)*¯1.5 ⋄ (3,≢x)⍴(+⌿w×a),(+⌿w×b),+⌿w×c}
wander←{d←1+⍵ ⋄ x←+\1 0 ¯1 0[d] ⋄ y←+\0 1 0 ¯1[d] ⋄ ⌈/(x×x)+y×y}

⍝ Sets and keys.
ranks←{⍋⍋⍵}
topK←{⍺↑⍵[⍒⍵]}
groupMedians←{⍺{(⍵[⍋⍵])[⌈0.5×≢⍵]}⌸⍵}
joined←{(⍺[;2],0)[⍺[;1]⍳⍵]}
distinct←{≢∪⍵}
bucketMeans←{b←1+⌊64×⍵ ⋄ s←64⍴0.0 ⋄ c←64⍴0 ⋄ s[b]+←⍺ ⋄ c[b]+←1 ⋄ s÷c}

⍝ Nested data.
wordLengths←{h←32⍴0 ⋄ h[32⌊≢¨(⍵≠' ')⊆⍵]+←1 ⋄ h}
longestWord←{w←(⍵≠' ')⊆⍵ ⋄ ⊃w[⍒≢¨w]}
palindromes←{+/{⍵≡⌽⍵}¨(⍵≠' ')⊆⍵}
bestStreak←{⌈/+/¨(⍵>0)⊆⍵}
vowelless←{w←(⍵≠' ')⊆⍵ ⋄ ≢w/⍨~∨/¨w∊¨⊂'aeiou'}
