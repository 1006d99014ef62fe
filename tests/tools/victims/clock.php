<?php
// shuffle() of PHP, seeded by the clock. Arguments: calls before, decks.
[$calls, $decks] = array_map("intval", array_slice($argv, 1));
mt_srand(time());
for ($i = 0; $i < $calls; $i++) mt_rand();
for ($hand = 0; $hand < $decks; $hand++) {
    $deck = range(0, 51);
    shuffle($deck);
    echo implode(" ", $deck), "\n";
}
