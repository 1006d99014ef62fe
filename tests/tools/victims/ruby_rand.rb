# Fisher-Yates downward on (rand * n).floor under Ruby's own seed. Arguments: calls before, decks.
calls, decks = ARGV.map(&:to_i)
calls.times { rand }
decks.times do
  deck = (0..51).to_a
  51.downto(1) do |i|
    j = (rand * (i + 1)).floor
    deck[i], deck[j] = deck[j], deck[i]
  end
  puts deck.join(" ")
end
