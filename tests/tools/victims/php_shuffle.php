<?php
// shuffle() of PHP under its own seed. Arguments: calls before, decks.
[, $calls, $decks] = $argv;
for ($call = 0; $call < $calls; $call++) mt_rand();
for ($hand = 0; $hand < $decks; $hand++) {
    $deck = range(0, 51);
    shuffle($deck);
    echo implode(' ', $deck), "\n";
}
