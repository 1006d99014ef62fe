"""random.shuffle of Python, seeded by the clock. Arguments: calls before, decks."""

import random
import sys
import time

calls, decks = map(int, sys.argv[1:])
random.seed(int(time.time()))
for _ in range(calls):
    random.random()
for _ in range(decks):
    deck = list(range(52))
    random.shuffle(deck)
    print(*deck)
