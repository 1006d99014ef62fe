// std::shuffle of the C++ library with the engine named at compile time, seeded by std::random_device.
// Arguments: calls before, decks.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

int main(int count, char **arguments) {
    if (count < 3) return 2;
    std::ENGINE engine(std::random_device{}());
    engine.discard(std::atoi(arguments[1]));
    for (int hand = std::atoi(arguments[2]); hand > 0; hand--) {
        int deck[52];
        std::iota(deck, deck + 52, 0);
        std::shuffle(deck, deck + 52, engine);
        for (int place = 0; place < 52; place++) std::printf("%d%c", deck[place], place == 51 ? '\n' : ' ');
    }
}
