⍝ Barnes and Hut in the plane: bodies of a cell that is small for its distance act as one body in their
⍝ centre of mass; another cell is cut into four, each of which is met by the function itself. In the corners
⍝ of a square of side 1 a body of mass 1 is pulled with 1 along two sides and with 1÷2 along the diagonal:
⍝ 1+(2*0.5)÷4 along each axis. With an angle of 0 all pairs are met; with an angle of 0.5 the forces differ
⍝ by less than 2 percent.
⍝ == output 1.353553391 1.353553391
⍝ == output ¯1.353553391 ¯1.353553391
⍝ == output 0
⍝ == output 1
force←{
    x y angle←⍺
    bodies left below side←⍵
    0=≢bodies:0 0
    mass←+/bodies[;3]
    d←(mass÷⍨bodies[;3]+.×bodies[;1 2])-x,y
    r←0.5*⍨+/d*2
    (1=≢bodies)∧r=0:0 0
    (1=≢bodies)∨side<angle×r:d×mass÷r*3
    half←side÷2
    right←bodies[;1]≥left+half
    above←bodies[;2]≥below+half
    a←⍺∇((right⍱above)⌿bodies)left below half
    b←⍺∇((right>above)⌿bodies)(left+half)below half
    c←⍺∇((right<above)⌿bodies)left(below+half)half
    a+b+c+⍺∇((right∧above)⌿bodies)(left+half)(below+half)half
}
square←4 3⍴0 0 1  0 1 1  1 0 1  1 1 1
⎕←0 0 0 force square 0 0 2
⎕←1 1 0 force square 0 0 2
n←30
bodies←⍉↑(1|0.618034×⍳n)(1|0.754878×⍳n)(1+3|⍳n)
at←{(2↑bodies[⍵;]),⍺}
all←{(0 at ⍵)force bodies 0 0 1}¨⍳n
pairs←{d←bodies[;1 2]-⍤1⊢2↑bodies[⍵;] ⋄ r←0.5*⍨+/d*2 ⋄ (bodies[;3]×(r≠0)÷r*3)+.×d}
⎕←1E¯9<⌈/|∊all-pairs¨⍳n
near←{(0.5 at ⍵)force bodies 0 0 1}¨⍳n
⎕←0.05>(+/|∊near-all)÷+/|∊all
