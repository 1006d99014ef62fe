-- Fisher-Yates downward on math.random, seeded by the clock. Arguments: calls before, decks.
math.randomseed(os.time())
for _ = 1, arg[1] do math.random() end
for _ = 1, arg[2] do
  local deck = {}
  for card = 1, 52 do deck[card] = card - 1 end
  for i = 52, 2, -1 do
    local j = math.random(i)
    deck[i], deck[j] = deck[j], deck[i]
  end
  print(table.concat(deck, " "))
end
