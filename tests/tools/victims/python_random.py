# Fisher-Yates downward on int(random() * n) under Python's own seed. Arguments: calls before, decks.
import random
import sys

calls, decks = map(int, sys.argv[1:])
for _ in range(calls):
    random.random()
for _ in range(decks):
    deck = list(range(52))
    for i in range(51, 0, -1):
        j = int(random.random() * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]
    print(*deck)
