#!/usr/bin/env python3
"""Files that no generator of the catalogue dealt, through the search of an audit: none may be recovered.

    fair.py --files 10000 --log fair.txt [--work 3500000]

Every file has a number, which says its size and its source; the log keeps one line a file, and another call goes on behind the
last. Sources: Python's `SystemRandom`, `openssl rand`, `crypto.randomInt` of Node.js, the certified shuffle, PCG64 of NumPy where it
is there, and the flawed dealers of `deckproof` that are none of the catalogue.
"""

import argparse
import pathlib
import random
import subprocess

SIZES = [1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50, 70, 100, 130, 200, 300, 450, 512, 1000, 2000, 5000]
# As `--source flawed:NAME` has them: by design none of these has a state that the catalogue holds.
FLAWED = ["naive-swap", "sattolo", "skip-last", "half-deck", "fisher-yates-chacha", "fisher-yates-pcg", "sort-key-64", "modulo-8", "modulo-12",
          "scale-8", "scale-12", "byte-off-by-one", "reread-20", "rc4", "chacha-rounds-1", "chacha-rounds-2", "hum", "stuck-bit",
          "sort-comparator", "sort-key-8", "riffle-3", "riffle-7", "overhand", "pile", "shelf", "cut", "cut-last", "renamed-last", "carry-over"]

NODE = """const {randomInt} = require("crypto"); for (let h = 0; h < +process.argv[1]; h++) { const d = [...Array(52).keys()];
for (let i = 51; i > 0; i--) { const j = randomInt(i + 1); [d[i], d[j]] = [d[j], d[i]]; } console.log(d.join(" ")); }"""


def system(decks):
    own = random.SystemRandom()
    return [own.sample(range(52), 52) for _ in range(decks)]


def openssl(decks):
    """Sorted by 64 random bits for each card."""
    bits = subprocess.run(["openssl", "rand", str(decks * 52 * 8)], capture_output=True, check=True).stdout
    keys = [int.from_bytes(bits[8 * at:8 * at + 8], "little") for at in range(decks * 52)]
    return [sorted(range(52), key=keys[52 * deck:52 * deck + 52].__getitem__) for deck in range(decks)]


def node(decks):
    return of_text(["node", "-e", NODE, str(decks)])


def certified(decks):
    return streamed("audit", decks)


def numpy(decks):
    import numpy
    own = numpy.random.default_rng()
    return [own.permutation(52).tolist() for _ in range(decks)]


def streamed(source, decks):
    return of_text(["deckproof", "stream", "--source", source, "--decks", str(decks)])


def of_text(command):
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [[int(card) for card in line.split()] for line in shown.splitlines()]


def sources():
    own = [("SystemRandom", system), ("openssl", openssl), ("node crypto", node), ("certified shuffle", certified)]
    try:
        import numpy as _
        own.append(("NumPy PCG64", numpy))
    except ImportError:
        pass
    return own


def flawed(number):
    name = f"flawed:{FLAWED[number % len(FLAWED)]}"
    return name, lambda decks: streamed(f"{name}:{random.SystemRandom().randrange(2**32)}", decks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--log", required=True)
    parser.add_argument("--work", type=int, default=3_500_000, help="nominal microseconds; the statistic of an audit has 3,500,000")
    parser.add_argument("--search", default="target/release/examples/first")
    options = parser.parse_args()
    log = pathlib.Path(options.log)
    done = len(log.read_text().splitlines()) if log.exists() else 0
    search = subprocess.Popen([options.search, "-", "512", str(options.work)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    of = sources()
    with log.open("a") as out:
        for number in range(done, options.files):
            size, round = SIZES[number % len(SIZES)], number // len(SIZES)
            # Every size from every source, and one round of as many from a flawed dealer.
            name, deal = of[round % (len(of) + 1)] if round % (len(of) + 1) < len(of) else flawed(number // (len(of) + 1))
            search.stdin.write("".join(" ".join(map(str, deck)) + "\n" for deck in deal(size)) + "\n")
            search.stdin.flush()
            print(f"{number} {name}, {size} dealt, {search.stdout.readline().strip()}", file=out, flush=True)


if __name__ == "__main__":
    main()
