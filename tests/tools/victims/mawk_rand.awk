# Fisher–Yates downward on mawk's rand under a seed of the clock. Arguments: calls before, decks.
BEGIN {
    before = ARGV[1]; decks = ARGV[2]
    srand()
    for (call = 0; call < before; call++) rand()
    for (deck = 0; deck < decks; deck++) {
        for (i = 0; i < 52; i++) d[i] = i
        for (i = 51; i > 0; i--) { j = int(rand() * (i + 1)); card = d[i]; d[i] = d[j]; d[j] = card }
        line = d[0]
        for (i = 1; i < 52; i++) line = line " " d[i]
        print line
    }
}
