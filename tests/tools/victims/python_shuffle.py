# random.shuffle under Python's own seed: rejects words that leave no trace. Arguments: calls before, decks.
import random
import sys

calls, decks = map(int, sys.argv[1:])
for _ in range(calls):
    random.random()
for _ in range(decks):
    deck = list(range(52))
    random.shuffle(deck)
    print(*deck)
