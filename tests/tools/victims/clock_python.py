"""random.shuffle of Python, or random.sample, seeded by the clock. Arguments: calls before, decks, and "sample" for that."""

import random
import sys
import time

calls, decks = map(int, sys.argv[1:3])
random.seed(int(time.time()))
for _ in range(calls):
    random.random()
for _ in range(decks):
    deck = list(range(52))
    if sys.argv[3:] == ["sample"]:
        deck = random.sample(deck, 52)
    else:
        random.shuffle(deck)
    print(*deck)
