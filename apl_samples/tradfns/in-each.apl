⍝ :InEach goes through several arrays side by side, one for each name; :In takes items of several values apart.
⍝ == input v int 3: 1 2 3
⍝ == input m int 2 3: 1 2 3 4 5 6
⍝ == output 10
⍝ == output ab1 c2 def3 
⍝ == output 3 3
⍝ == output 6 15
⍝ == output 0
∇ r ← products x;a;b
  r ← 0
  :For a b :InEach x (⌽x)
    r +← a×b
  :EndFor
∇
∇ r ← labels words;word;number;end
  r ← ''
  :For word number end :InEach words (⍳≢words) ' '
    r ,← word,(⍕number),end
  :EndFor
∇
∇ r ← differences m;a;b
  r ← ⍬
  :For a b :InEach ↓m
    :If a=2 ⋄ :Continue ⋄ :EndIf
    r ,← b-a
  :EndFor
∇
∇ r ← sums m;a;b;c
  r ← ⍬
  :For a b c :In ↓m
    r ,← a+b+c
  :EndFor
∇
⎕←products v
⎕←labels ' '(≠⊆⊢)'ab c def'
⎕←differences m
⎕←sums m
⎕←products 0↑v
