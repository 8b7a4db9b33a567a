⍝ Integrals by the trapezoid rule and by Simpson's: x² from 0 to 3 is 9, exact by Simpson; sin from 0 to π is 2.
⍝ == input n int: 1000
⍝ == output 9.5
⍝ == output 9
⍝ == output 1.999998355
⍝ == output 1
⍝ == output 1
⍝ == output 0.75
trapezoid←{
    (a b n)←⍵
    h←(b-a)÷n
    y←⍺⍺ a+h×0,⍳n
    h×(+/y)-0.5×y[1]+y[n+1]
}
simpson←{
    (a b n)←⍵
    h←(b-a)÷n
    y←⍺⍺ a+h×0,⍳n
    w←1,((n-1)⍴4 2),1
    (h÷3)×w+.×y
}
⎕←×⍨trapezoid 0 3 3
⎕←×⍨simpson 0 3 4
⎕←{1○⍵}trapezoid 0(○1)n
⎕←1E¯9>|2-{1○⍵}simpson 0(○1)n
⎕←1E¯6>|(○÷4)-{÷1+⍵×⍵}trapezoid 0 1 1000
⎕←÷trapezoid 1 2 1
