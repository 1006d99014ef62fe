# Fisher-Yates downward on Perl's rand under its own seed, as perlfaq4 has it. Arguments: calls before, decks.
use strict; use warnings;
my ($calls, $decks) = @ARGV;
rand() for 1 .. $calls;
for (1 .. $decks) {
    my @deck = (0 .. 51);
    my $i = @deck;
    while (--$i) {
        my $j = int rand($i + 1);
        @deck[$i, $j] = @deck[$j, $i];
    }
    print "@deck\n";
}
