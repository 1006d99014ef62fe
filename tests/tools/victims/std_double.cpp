// A Fisher–Yates shuffle on std::uniform_real_distribution<double> of the C++ library with the engine named at compile time, seeded by
// std::random_device. Arguments: calls before, decks.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>

int main(int count, char **arguments) {
    if (count < 3) return 2;
    std::ENGINE engine(std::random_device{}());
    std::uniform_real_distribution<double> fraction(0, 1);
    engine.discard(std::atoi(arguments[1]));
    for (int hand = std::atoi(arguments[2]); hand > 0; hand--) {
        int deck[52];
        for (int place = 0; place < 52; place++) deck[place] = place;
        for (int last = 51; last > 0; last--) std::swap(deck[last], deck[int(fraction(engine) * (last + 1))]);
        for (int place = 0; place < 52; place++) std::printf("%d%c", deck[place], place == 51 ? '\n' : ' ');
    }
}
