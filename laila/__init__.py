"""From TAIL to loops: pull arrays, parallel programs of SOACs, fusion, the loop language."""
