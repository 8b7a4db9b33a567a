⍝ The temperature of a chip after ⍺ steps: Rodinia's benchmark with its constants. The planes of ⍵ are temperature and
⍝ power. Power heats a cell, its four neighbours and the ambient cool it; at the border the neighbour is the cell itself.
⍝ The figures are those of the same formulas with loops in Python.
⍝ == output 323.0295651 324.1074738 325.1853936 326.2633134 327.3412232
⍝ == output 328.4191292 328.9502062 330.0281243 331.1060429 332.1839527
⍝ == output 333.2618926 334.3398012 335.4177192 335.9488063 337.0267143
⍝ == output 338.1046221 339.1825319 340.2604517 341.3383704 342.4162802
⍝ == structure {allocs 2, branches 0}
chip      ← 0.016          ⍝ its height and width in metres
thickness ← 0.0005
ambient   ← 80
heat      ← 1.75E6         ⍝ per volume, of silicon
conducts  ← 100
factor    ← 0.5
maxPower  ← 3E6
precision ← 0.001
north ← {(1↑⍵)⍪¯1↓⍵}
south ← {(1↓⍵)⍪¯1↑⍵}
west  ← {⍵[;1],0 ¯1↓⍵}
east  ← {(0 1↓⍵),⍵[;2⊃⍴⍵]}
hotspot ← {
    temperature ← ⍵[1;;]
    power       ← ⍵[2;;]
    (high wide) ← chip÷⍴temperature
    capacity    ← factor×heat×thickness×high×wide
    gX          ← (2×conducts×thickness×high)÷wide       ⍝ conductances
    gY          ← (2×conducts×thickness×wide)÷high
    gZ          ← (conducts×high×wide)÷thickness
    time        ← precision÷maxPower÷factor×thickness×heat
    step ← {
        vertical   ← ((north ⍵)+(south ⍵)-2×⍵)×gY
        horizontal ← ((west ⍵)+(east ⍵)-2×⍵)×gX
        ⍵+(time÷capacity)×power+vertical+horizontal+(ambient-⍵)×gZ
    }
    (step⍣⍺)temperature
}
cells ← ¯1+⍳20
⎕←3 hotspot 2 4 5⍴(323+cells),1000×7|1+cells
