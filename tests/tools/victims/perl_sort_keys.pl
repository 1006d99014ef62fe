# Sorted by a rand for each card, as the Schwartzian transform has it. Arguments: calls before, decks.
use strict; use warnings;
my ($calls, $decks) = @ARGV;
rand() for 1 .. $calls;
for (1 .. $decks) {
    my @deck = map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [rand(), $_] } 0 .. 51;
    print "@deck\n";
}
