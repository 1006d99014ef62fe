<?php
// Fisher-Yates downward on mt_rand(0, $i) under PHP's own seed. Arguments: calls before, decks.
[, $calls, $decks] = $argv;
for ($call = 0; $call < $calls; $call++) mt_rand();
for ($hand = 0; $hand < $decks; $hand++) {
    $deck = range(0, 51);
    for ($i = 51; $i > 0; $i--) {
        $j = mt_rand(0, $i);
        [$deck[$i], $deck[$j]] = [$deck[$j], $deck[$i]];
    }
    echo implode(' ', $deck), "\n";
}
