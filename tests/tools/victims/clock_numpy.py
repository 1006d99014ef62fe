"""RandomState.shuffle of NumPy, seeded by the clock. Arguments: calls before, decks."""

import sys
import time

import numpy as np

calls, decks = map(int, sys.argv[1:])
state = np.random.RandomState(int(time.time()))
for _ in range(calls):
    state.tomaxint()
for _ in range(decks):
    deck = np.arange(52)
    state.shuffle(deck)
    print(*deck)
