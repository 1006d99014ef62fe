# The commands of CONTRIBUTING.md by name, for `just` (https://just.systems). Each is one line that can be typed as well.

# What is there.
default:
    @just --list

# All tests.
test *options:
    cargo test --locked {{options}}

# Everything that is asked before a change is handed in.
ci:
    .ci/run

# Whether files, rooms and pages are where they belong; no crate is built.
tidy:
    mkdir -p target
    CARGO_MANIFEST_DIR={{justfile_directory()}} rustc --edition 2024 --test tests/suite/tidy.rs -o target/tidy
    CARGO_MANIFEST_DIR={{justfile_directory()}} target/tidy

# How fast: all benchmarks, or those whose name holds a word.
bench *name:
    cargo bench --locked {{name}}

# How many decks each flawed dealer needs; it goes on where STATE ends (hours).
power state *options:
    cargo run --release --locked -- power --state {{state}} {{options}}

# How often fair decks are rejected; it goes on where STATE ends (hours).
calibrate state *options:
    cargo run --release --locked -- calibrate --state {{state}} {{options}}

# Which statistic catches which flawed dealer, for docs/results.md: SEEDS, DECKS, DEALER …; it goes on where STATE ends (hours).
results state *options:
    cargo run --release --locked -p deckproof-audit --example results -- {{state}} {{options}}

# The executable that is handed out, for PLATFORM.
release folder='target/repeatable':
    tests/tools/release.sh {{folder}}
