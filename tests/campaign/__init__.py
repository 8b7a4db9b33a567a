"""The campaign: random programs, texts, files, arrays and commands against the compiler, for a given time.

    python -m tests.campaign --minutes N --seed S --jobs J [--directory D] [--only KIND,…]

It is made of kinds of work, each of which generates something and judges what became of it; `kinds` lists
them. Work is cut into blocks, a number each, which with the seed says all that is random in it. What was done
is kept in the directory, and the same command goes on where it ended. A finding is a file there.
"""
