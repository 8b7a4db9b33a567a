⍝ == error 5:20 LENGTH ERROR: :InEach needs an array for each name, got 3 for 2
⍝ `:InEach` goes through arrays side by side, and has a name for each.
∇ r ← sums v;a;b
  r ← 0
  :For a b :InEach v v v
    r ← r + a × b
  :EndFor
∇
⎕←sums 1 2 3
