/* Fisher-Yates downward on the C library's rand() % n, seeded from the clock and the process number.
   Arguments: calls before, decks. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 3) return 2;
    srand((unsigned)time(NULL) * 2654435761u ^ (unsigned)getpid());
    for (int call = atoi(arguments[1]); call > 0; call--) rand();
    for (int hand = atoi(arguments[2]); hand > 0; hand--) {
        int deck[52];
        for (int card = 0; card < 52; card++) deck[card] = card;
        for (int i = 51; i > 0; i--) {
            int j = rand() % (i + 1), card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        for (int place = 0; place < 52; place++) printf("%d%c", deck[place], place == 51 ? '\n' : ' ');
    }
    return 0;
}
