⍝ Idioms of twelve kinds. idioms.c has each by hand, and __main__.py what they are called with.

⍝ Statistics.
skewness←{d←⍵-(+/⍵)÷≢⍵ ⋄ ((+/d*3)÷≢⍵)÷((+/d*2)÷≢⍵)*1.5}
correlation←{a←⍺-(+/⍺)÷≢⍺ ⋄ b←⍵-(+/⍵)÷≢⍵ ⋄ (+/a×b)÷((+/a*2)×+/b*2)*0.5}
mode←{⊃(∪⍵)[⍒{≢⍵}⌸⍵]}
quartiles←{-/(⍵[⍋⍵])[⌈0.75 0.25×≢⍵]}
groupMeans←{⍺{(+/⍵)÷≢⍵}⌸⍵}

⍝ Finance.
sharpe←{r←⍟(1↓⍵)÷¯1↓⍵ ⋄ m←(+/r)÷≢r ⋄ m÷((+/(r-m)*2)÷≢r)*0.5}
averagePrice←{(+\⍺×⍵)÷+\⍺}
onBalance←{+\⍺××0,(1↓⍵)-¯1↓⍵}
bands←{m←(20+/⍵)÷20 ⋄ s←(0⌈((20+/⍵*2)÷20)-m*2)*0.5 ⋄ (m-2×s),[0.5]m+2×s}
strength←{d←(1↓⍵)-¯1↓⍵ ⋄ u←14+/0⌈d ⋄ 100×u÷u+14+/0⌈-d}

⍝ Images.
grey←{⌊(+/⍵×(⍴⍵)⍴77 150 29)÷256}
halved←{(r c)←⌊(⍴⍵)÷2 ⋄ ⌊(+/+/[2]r 2 c 2⍴⍵)÷4}
equalised←{h←256⍴0 ⋄ h[1+,⍵]+←1 ⋄ t←⌊255×(+\h)÷×/⍴⍵ ⋄ t[1+⍵]}
dilated←{a←⍵∨(1⌽⍵)∨¯1⌽⍵ ⋄ a∨(1⊖a)∨¯1⊖a}
integralImage←{+⍀+\⍵}
blurred←{a←⍵+(1⌽⍵)+¯1⌽⍵ ⋄ ⌊(a+(1⊖a)+¯1⊖a)÷9}
sobel←{d←(1⌽⍵)-¯1⌽⍵ ⋄ s←(1⌽⍵)+(¯1⌽⍵)+2×⍵ ⋄ (|(1⊖d)+(¯1⊖d)+2×d)+|(1⊖s)-¯1⊖s}

⍝ Texts as numbers.
parsed←{10⊥⍉¯1+⎕D⍳⍵}
hash←{{2147483647|⍺+31×⍵}/⌽⎕UCS ⍵}
upper←{u←⎕UCS ⍵ ⋄ ⎕UCS u-32×(u≥97)∧u≤122}
hexadecimal←{16⊥⍉¯1+'0123456789abcdef'⍳((⌊(≢⍵)÷2),2)⍴⍵}
caesar←{a←'abcdefghijklmnopqrstuvwxyz' ⋄ a[1+26|⍺+¯1+a⍳⍵]}
words←{≢(⍵≠' ')⊆⍵}
longestRun←{⌈/(1↓s,1+≢⍵)-s←⍸1,2≠/⍵}

⍝ Graphs by matrices.
distances←{m←⍵ ⋄ ({⍵⌊⍵⌊.+m}⍣10)⍺}
reached←{m←⍵ ⋄ ({⍵∨⍵∨.∧m}⍣≡)⍺=⍳≢⍵}
laplacian←{(((⍳≢⍵)∘.=⍳≢⍵)×[1]+/⍵)-⍵}
symmetric←{⍵≡⍉⍵}
adjacency←{m←(⍺*2)⍴0 ⋄ m[⍵[;2]+⍺×⍵[;1]-1]←1 ⋄ ⍺ ⍺⍴m}

⍝ Recurrences.
∇ r←a smoothed v;s;i
r←(≢v)⍴0.0
s←0.0
:For i :In ⍳≢v
    s←(a×s)+(1-a)×v[i]
    r[i]←s
:EndFor
∇
fibonacci←{⊃({(1000007|+/⍵),⊃⍵}⍣⍵)0 1}
logistic←{({3.7×⍵×1-⍵}⍣⍺)⍵}
collatz←{⌈/{⍺←0 ⋄ ⍵=1:⍺ ⋄ 0=2|⍵:(1+⍺)∇⌊⍵÷2 ⋄ (1+⍺)∇1+3×⍵}¨⍳⍵}
fraction←{{⍺+÷⍵}/⍵}

⍝ Dates.
leap←{+/(0=400|⍵)∨(0≠100|⍵)∧0=4|⍵}
dayNumber←{(y m d)←⍵[1;]⍵[2;]⍵[3;] ⋄ a←⌊(14-m)÷12 ⋄ z←y+4800-a ⋄ n←m+(12×a)-3 ⋄ d+(⌊(2+153×n)÷5)+(365×z)+(⌊z÷4)+(⌊z÷400)-(⌊z÷100)+32045}
months←{a←⍵+32044 ⋄ b←⌊(3+4×a)÷146097 ⋄ c←a-⌊(146097×b)÷4 ⋄ d←⌊(3+4×c)÷1461 ⋄ e←c-⌊(1461×d)÷4 ⋄ m←⌊(2+5×e)÷153 ⋄ 3+m-12×⌊m÷10}
weekdays←{+/(⍳7)∘.=1+7|⍵}
valid←{y←⌊⍵÷10000 ⋄ m←100|⌊⍵÷100 ⋄ d←100|⍵ ⋄ k←31 28 31 30 31 30 31 31 30 31 30 31 ⋄ +/(1≤m)∧(m≤12)∧(1≤d)∧d≤k[1⌈12⌊m]+(m=2)∧0=4|y}

⍝ Bits.
quoted←{q∨≠\q←⍵='"'}
edges←{+/2</0,⍵}
packed←{2⊥⍉((⌊(≢⍵)÷8),8)⍴⍵}
jaccard←{(+/⍺∧⍵)÷+/⍺∨⍵}
encoded←{s←⍸1,2≠/⍵ ⋄ ⍵[s],[1.5](1↓s,1+≢⍵)-s}
segmentSums←{+/¨⍺⊂⍵}
gray←{⍵ ⎕INT32XOR ⍵ ⎕INT32SHR 1}

⍝ Polynomials.
horner←{(⍪⍵)⊥⍺}
product←{+⌿(1-⍳≢⍺)⌽⍺∘.×⍵,0×1↓⍺}
roots←{a←⍵[;1] ⋄ b←⍵[;2] ⋄ c←⍵[;3] ⋄ d←0⌈(b*2)-4×a×c ⋄ ((d*0.5)-b)÷2×a}
differences←{({(1↓⍵)-¯1↓⍵}⍣⍺)⍵}
vandermonde←{⍵∘.*0,⍳7}

⍝ Simulations.
generator←{({2147483648|12345+1103515245×⍵}⍣⍺)⍵}
waiting←{s←+\⍵ ⋄ s-⌊\0⌊s}
walk←{⌈/|+\¯1+2×⍵}
sampled←{(+\⍺)⍸⍵}
ising←{-+/,⍵×(1⌽⍵)+1⊖⍵}

⍝ Rows of matrices.
nearest←{m←⍺ ⋄ {⊃⍋+/(m-⍤1⊢⍵)*2}⍤1⊢⍵}
normed←{⍵÷⍤1 0⊢(+/⍵*2)*0.5}
softmax←{e←*⍵-⍤1 0⊢⌈/⍵ ⋄ e÷⍤1 0⊢+/e}
standardised←{d←⍵-⍤1 0⊢(+/⍵)÷¯1↑⍴⍵ ⋄ d÷⍤1 0⊢((+/d*2)÷¯1↑⍴⍵)*0.5}

⍝ Keys.
histogram←{+⌿⍵∘.=⍳64}
weighted←{⍺+.×⍵∘.=⍳64}
tallies←{+/¨(⍳64)=⊂⍵}
leastPlaces←{{⍵⍳⌊/⍵}⍤1⊢⍵}
