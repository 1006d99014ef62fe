#!/bin/bash
# Fisher-Yates downward on RANDOM of bash under its own seed. Arguments: calls before, decks.
for ((call = 0; call < $1; call++)); do : $RANDOM; done
for ((hand = 0; hand < $2; hand++)); do
  deck=({0..51})
  for ((i = 51; i > 0; i--)); do
    ((j = RANDOM % (i + 1), card = deck[i], deck[i] = deck[j], deck[j] = card))
  done
  echo "${deck[@]}"
done
