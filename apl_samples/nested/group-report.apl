⍝ A report by groups: sales of regions, with sums, the best sale of each, and lines of text for the reader.
⍝ == output  north  south  east 
⍝ == output 19 10 4
⍝ == output 12 6 4
⍝ == output north 19
⍝ == output south 10
⍝ == output east   4
regions←'north' 'south' 'north' 'east' 'south'
amounts←7 4 12 4 6
names←∪regions
totals←regions{+/⍵}⌸amounts
⎕←names
⎕←totals
⎕←⌈/¨regions{⊂⍵}⌸amounts
⎕←(↑names),' ',⍕⍪totals
