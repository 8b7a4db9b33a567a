⍝ The shortest way through a maze: each round takes the free neighbours of the cells that the last one
⍝ reached, and the way back goes, from the goal, to a cell of the round before that is beside the last one.
⍝ == output 9
⍝ == output 1 1 1 1 1 1 1 1 1
⍝ == output  1 1  2 1  3 1  3 2  3 3  2 3  1 3  1 4  1 5 
⍝ == output ■□■■■
⍝ == output ■□■□□
⍝ == output ■■■□□
⍝ == output 1 2 3 2 1
maze←3 5⍴0 1 0 0 0  0 1 0 1 1  0 0 0 1 0
moves←(0 1)(1 0)(0 ¯1)(¯1 0)
search←{
    goal maze←⍺
    inside←{⍵/⍨{∧/(⍵≥1)∧⍵≤⍴maze}¨⍵}
    open←{⍵/⍨0=maze[⍵]}
    {
        (⊂goal)∊⊃⌽⍵:⍵
        next←∪open inside,(⊃⌽⍵)∘.+moves
        ∇⍵,⊂next~⊃,/⍵
    },⊂,⊂⍵
}
rounds←(1 5)maze search 1 1
⎕←≢rounds
⎕←≢¨rounds
back←{
    way rounds←⍵
    0=≢rounds:way
    beside←{1=+/|⍵-⊃way}¨⊃⌽rounds
    ∇((1↑beside/⊃⌽rounds),way)(¯1↓rounds)
}
⎕←way←back(,⊂1 5)(¯1↓rounds)
picture←(⍴maze)⍴'□'
⎕←'□■'[1+(⍳⍴maze)∊way]
⎕←≢¨(3 3)(3 3⍴0)search 1 1
