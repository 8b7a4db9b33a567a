⍝ The option pricer for interpreters: all paths at once, and Sobol numbers as columns of bits, the lowest first.
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
gray ← {
    b ← (30⍴2)⊤⍵
    ⊖b≠0⍪¯1↓b
}
bridge ← {                              ⍝ normal numbers by step, underlying and path, to paths
    z ← ⍵
    w ← (6,1↓⍴z)⍴0.0
    w[6;;] ← dev[1]×z[1;;]
    w[3;;] ← (dev[2]×z[2;;])+(weightL[2]×w[1;;])+weightR[2]×w[6;;]
    w[2;;] ← (dev[3]×z[3;;])+(weightL[3]×w[1;;])+weightR[3]×w[3;;]
    w[4;;] ← (dev[4]×z[4;;])+(weightL[4]×w[3;;])+weightR[4]×w[6;;]
    w[5;;] ← (dev[5]×z[5;;])+(weightL[5]×w[4;;])+weightR[5]×w[6;;]
    1 0 0↓w
}
prices ← {
    g ← gray ⍳⍵
    u ← (2⊥((30⍴2)⊤⍺)≠.∧g)÷2*30
    w ← 2 1 3⍉bridge(5 3,⍵)⍴normal u
    r ← *((drift∘.×dates)∘.×⍵⍴1)+(root×⍉3 3⍴vol)+.×w
    worst ← ⌊⌿r
    end ← worst[5;]
    call ← discount[5]×0⌈(start×r[1;5;])-strike
    reached ← worst≥1
    any ← ∨⌿reached
    date ← 5⌊1++⌿~∨⍀reached
    kept ← 1000×discount[5]×(end≥0.75)⌈end×end<0.75
    early ← (any×discount[date]×1000+150×date)+(~any)×kept
    safe ← ∧⌿0.7≤worst
    barrier ← 1000×discount[5]×0.25+safe⌈1⌊end
    ((+/call),(+/early),+/barrier)÷⍵
}
