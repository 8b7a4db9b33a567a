⍝ Letters in another case, numbers in texts, JSON, pictures, codes of types.
⍝ == output straße σοφόσ
⍝ == output STRAßE ΣΟΦΌΣ
⍝ == output strasse, ǆ
⍝ == output 1 2 3
⍝ == output 12 3.5 ¯4 ¯5
⍝ == output  1 0 1  12 0 ¯4 
⍝ == output  1 1 0 1  1 0 0 4 
⍝ == output 10 20 30.5
⍝ == output 15
⍝ == output [[1,2,3],"a\"b",[[1.5,0],[1E-7,4]],5]
⍝ == output    1    0.12
⍝ == output   20    2.00
⍝ == output ¯30099999.50
⍝ == output 1,234,567|   1.50E¯3      ;
⍝ == output    ¯1,000|    1.23E5  12  ;
⍝ == output 007.05
⍝ == output  5
⍝ == output **
⍝ == output **
⍝ == output one:   1.0
⍝ == output two:   2.0
⍝ == output 323 320 323 645
⍝ == output 1 5
⍝ == output  NEW  OLD 
⍝ == output   NEW  3   OLD  3  
⎕←¯1⎕C 'Straße ΣΟΦΌΣ'
⎕←1⎕C 'Straße σοφός'
⎕←⎕C 'STRASSE, Ǆ'
⎕←⎕C 1 2 3
⎕←⊃(//)⎕VFI '12 x 3.5 ¯4 -5'
⎕←⎕VFI '12 1x ¯4'
⎕←','⎕VFI '1,,x, 4'
⎕←⍎⍕10 20 30.5
⎕←+/⍎¨⍕12345
⎕←1⎕JSON(1 2 3)'a"b'(2 2⍴1.5 0 1e¯7 4)5
⎕←'I4,F8.2'⎕FMT ⍉2 3⍴1 20 ¯300 0.125 2 99999.5
⎕←'CI9,<|>,E10.3,X2,LBI4,<;>'⎕FMT 2 3⍴1234567 0.0015 0 ¯1000 123456 12
⎕←'ZI3,<.>,ZI2'⎕FMT 1 2⍴7 5
⎕←'I2'⎕FMT 5 ¯10 100
⎕←'3A1,<: >,F5.1'⎕FMT(2 3⍴'onetwo')(1 2)
⎕←⎕DR¨(1 0 1)'text'(2 3)2.5
⎕←⍴⎕FMT 1 2 3
w←' '(≠⊆⊢)'New old'
⎕←1⎕C w
⎕←1⎕C{⍵(≢⍵)}¨w
