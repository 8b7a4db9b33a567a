⍝ Monte-Carlo prices of three contracts on three underlyings and five dates, a year apart, as LexiFi's pricer finds them:
⍝ Sobol numbers, the inverse normal distribution, a Brownian bridge, correlated Black-Scholes prices, payoffs, their mean.
⍝ Measured is prices; ⍺ has the direction numbers, a row per dimension, ⍵ is the number of paths. Four direction numbers of 15
⍝ dimensions (Joe and Kuo) are enough for 15 paths. The prices were computed with the same formulas in Python.
⍝ == output 0 1.644853627 ¯1.959963985
⍝ == output 610.2129758 831.5230171 881.6452119
⍝ == structure {allocs 0, modulo 0, branches 0}
place   ← 6 3 2 4 5                     ⍝ the order in which a path is filled; row 1 is today
left    ← 1 1 1 3 4                     ⍝ between which rows
right   ← 1 6 3 6 6
weightL ← 0 0.6 0.5,(2÷3),0.5
weightR ← 0 0.4 0.5,(1÷3),0.5
dev     ← (5 1.2 0.5,(2÷3),0.5)*0.5

dates    ← ⍳5
rate     ← 0.03
vol      ← 0.25 0.22 0.18
drift    ← rate-0.02 0.01 0.015+(vol*2)÷2
root     ← 3 3⍴1 0 0 0.6 0.8 0 0.5 0.125,0.734375*0.5     ⍝ of the correlations
start    ← 3700
strike   ← 3700
discount ← *-rate×dates

⍝ Algorithm AS 241 of Wichura. Its last branch, for what is nearer to 0 or 1 than 2E¯11, is not needed for 30 bits.
central ← {
    r ← 0.180625-⍵×⍵
    a ← 45921.953931549871457+r×67265.770927008700853+r×33430.575583588128105+r×2509.0809287301226727
    a ← 3.387132872796366608+r×133.14166789178437745+r×1971.5909503065514427+r×13731.693765509461125+r×a
    b ← 21213.794301586595867+r×39307.89580009271061+r×28729.085735721942674+r×5226.495278852854561
    ⍵×a÷1+r×42.313330701600911252+r×687.1870074920579083+r×5394.1960214247511077+r×b
}
tail ← {
    r ← ¯1.6+(-⍟⍵)*0.5
    a ← 1.27045825245236838258+r×0.24178072517745061177+r×0.0227238449892691845833+r×7.7454501427834140764E¯4
    a ← 1.42343711074968357734+r×4.6303378461565452959+r×5.7694972214606914055+r×3.64784832476320460504+r×a
    b ← 0.14810397642748007459+r×0.0151986665636164571966+r×5.475938084995344946E¯4+r×1.05075007164441684324E¯9
    a÷1+r×2.05319162663775882187+r×1.6763848301838038494+r×0.68976733498510000455+r×b
}
normal ← {
    q ← ⍵-0.5
    near ← 0.425≥|q
    (near×central q)+(~near)×(×q)×tail ⍵⌊1-⍵
}

bridge ← {                              ⍝ normal numbers, a row per step, to a path, a row per date
    z ← ⍵
    fill ← {
        (k w) ← ⍵
        w[place[k];] ← (dev[k]×z[k;])+(weightL[k]×w[left[k];])+weightR[k]×w[right[k];]
        (k+1)w
    }
    w ← 6 3⍴0.0
    k ← 1
    1↓2⊃(fill⍣5)k w
}
relative ← {*(dates∘.×drift)+(5 3⍴vol)×⍵+.×⍉root}         ⍝ prices over those of today

call ← {discount[5]×0⌈(start×⍵)-strike}
early ← {                               ⍝ ends at the first date on which no underlying is below its start
    hit ← (⍵≥1)⍳1
    hit≤5: discount[hit]×1000+150×hit
    0.75≤⍵[5]: 1000×discount[5]
    1000×discount[5]×⍵[5]
}
barrier ← {                             ⍝ pays all unless one of them was ever below 0.7
    safe ← ∧/0.7≤⍵
    1000×discount[5]×0.25+safe⌈1⌊⍵[5]
}
payoffs ← {
    worst ← ⌊/⍵
    (call ⍵[5;1]),(early worst),barrier worst
}
prices ← {
    directions ← ⍺
    powers ← 1 ⎕INT32SHL ¯1+⍳2⊃⍴⍺
    uniform ← {
        gray ← ⍵ ⎕INT32XOR ⍵ ⎕INT32SHR 1
        set ← 0≠gray ⎕INT32AND powers
        (⎕INT32XOR/directions×(⍴directions)⍴set)÷2*30
    }
    (+⌿↑{payoffs relative bridge 5 3⍴normal uniform ⍵}¨⍳⍵)÷⍵
}
⎕←normal 0.5 0.95 0.025
⎕←((2*26)×15 4⍴8 4 2 1 8 12 10 15 8 12 6 9 8 12 2 5 8 4 2 11 8 4 6 3 8 12 10 13 8 4 10 5 8 4 10 5 8 4 14 11 8 4 10 1 8 4 2 3 8 12 10 5 8 12 6 9 8 4 2 15)prices 15
