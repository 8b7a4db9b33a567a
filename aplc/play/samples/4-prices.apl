⍝ Prices and their averages
⎕RL ← 5
close   ← 100×*+\0.01×¯0.48+?250⍴0
average ← {(⍺+/⍵)÷⍺}
close (21 average close) (63 average close)
drawdown ← {1-⍵÷⌈\⍵}
⌈/drawdown close
