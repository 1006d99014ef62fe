# List::Util's shuffle under Perl's own seed. Arguments: calls before, decks.
use strict; use warnings; use List::Util 'shuffle';
my ($calls, $decks) = @ARGV;
rand() for 1 .. $calls;
print join(' ', shuffle(0 .. 51)), "\n" for 1 .. $decks;
