# Tables that shuffle at the same time and draw in turn from Perl's rand; the decks of the first are printed. Arguments: tables, calls
# before, decks.
use strict; use warnings;
my ($tables, $calls, $decks) = @ARGV;
rand() for 1 .. $calls;
for (1 .. $decks) {
    my @all = map { [0 .. 51] } 1 .. $tables;
    for my $i (reverse 1 .. 51) {
        for my $deck (@all) {
            my $j = int rand($i + 1);
            @$deck[$i, $j] = @$deck[$j, $i];
        }
    }
    print "@{$all[0]}\n";
}
