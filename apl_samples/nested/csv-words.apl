⍝ Lines of text as tables: fields between semicolons, numbers among them, a column by its name.
⍝ == output  name  age  city 
⍝ == output  Ann  Bob  Cy 
⍝ == output 34 27 61
⍝ == output Cy
⍝ == output 122
⍝ == output  Bonn  Oslo  Bonn 
text←'name;age;city|Ann;34;Bonn|Bob;27;Oslo|Cy;61;Bonn'
table←↑';'(≠⊆⊢)¨'|'(≠⊆⊢)text
head←table[1;]
rows←1↓table
column←{rows[;head⍳⊂⍵]}
⎕←head
⎕←column'name'
ages←{10⊥¯1+⎕D⍳⍵}¨column'age'
⎕←ages
⎕←⊃(column'name')[⊃⍒ages]
⎕←+/ages
⎕←column'city'
