⍝ Shortest paths with a binary heap as priority queue, whose rows are a distance and a place. From 0 the known
⍝ distances of this graph are 0 7 9 20 20 11, and the way to 4 goes by 2 and 5. Then the fewest steps through
⍝ a maze, with a queue that holds positions: right, down, right, up, right, down are 2 2 2 2 2 2 steps.
⍝ == output 0 7 9 20 20 11
⍝ == output ¯1 0 0 2 5 2
⍝ == output 0 2 5 4
⍝ == output  0  0 1  0 2  0 2 3  0 2 5 4  0 2 5
⍝ == output 12
⎕IO←0
∇ heap←heap Push (key val);i;up
  heap⍪←key,val
  i←¯1+≢heap
  :While i>0
    up←⌊(i-1)÷2
    :If heap[up;0]≤heap[i;0]
      :Leave
    :EndIf
    heap[i up;]←heap[up i;]
    i←up
  :EndWhile
∇
∇ (top heap)←Pop heap;n;i;l;s
  top←heap[0;]
  n←¯1+≢heap
  heap[0;]←heap[n;]
  heap←n↑heap
  i←0
  :While n>l←1+2×i
    s←l
    :If (l+1)<n
    :AndIf heap[l+1;0]<heap[l;0]
      s←l+1
    :EndIf
    :If heap[i;0]≤heap[s;0] ⋄ :Leave ⋄ :EndIf
    heap[i s;]←heap[s i;]
    i←s
  :EndWhile
∇
∇ (dist prev)←adj Dijkstra from;heap;top;d;v;w;nd;n;done
  n←≢adj
  dist←n⍴1000000
  prev←n⍴¯1
  done←n⍴0
  dist[from]←0
  heap←0 2⍴0
  heap←heap Push 0 from
  :While 0<≢heap
    (top heap)←Pop heap
    (d v)←top
    :If done[v] ⋄ :Continue ⋄ :EndIf
    done[v]←1
    :For w :In ⍸adj[v;]>0
      nd←d+adj[v;w]
      :If nd<dist[w]
        dist[w]←nd
        prev[w]←v
        heap←heap Push nd w
      :EndIf
    :EndFor
  :EndWhile
∇
path←{⍺<0:⍬ ⋄ (⍵∇⍨⍺⌷⍵),⍺}
G←6 6⍴0
G[0;1 2 5]←7 9 14
G[1;2 3]←10 15
G[2;3 5]←11 2
G[3;4]←6
G[4;5]←9
G←G⌈⍉G
(d p)←G Dijkstra 0
⎕←d
⎕←p
⎕←4 path p
⎕←(⍳6)path¨⊂p
maze←↑'#########' '#S  #   #' '# # # # #' '# #   #E#' '#########'
∇ steps←Bfs maze;queue;dist;pos;next;dir;n
  dist←(⍴maze)⍴¯1
  queue←⍸maze='S'
  dist[queue]←0
  :While 0<≢queue
    pos←⊃queue
    queue←1↓queue
    :For dir :In (0 1)(1 0)(0 ¯1)(¯1 0)
      next←pos+dir
      :If '#'≠maze[⊂next]
      :AndIf dist[⊂next]=¯1
        dist[⊂next]←1+dist[⊂pos]
        queue,←⊂next
      :EndIf
    :EndFor
  :EndWhile
  steps←⊃dist[⍸maze='E']
∇
⎕←Bfs maze
