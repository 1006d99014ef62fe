# Array#shuffle of Ruby, seeded by the clock. Arguments: calls before, decks.
calls, decks = ARGV.map(&:to_i)
srand(Time.now.to_i)
calls.times { rand }
decks.times { puts (0..51).to_a.shuffle.join(" ") }
