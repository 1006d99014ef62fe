#!/usr/bin/env bash
# The executable that is handed out: tests/tools/release.sh [TARGET_FOLDER]
# Its bytes depend on the commit, the toolchain below, Cargo.lock and the C compiler (named by the script), and on no
# folder, home, user or time. Two people who build one commit compare the SHA-256 that it prints. THIRD-PARTY.txt beside
# it holds the notices of what is in it, and is handed out with it.
set -euo pipefail
cd "$(dirname "$0")/../.."

toolchain=1.95.0
bytes_max=$((12 << 20))

root=$(pwd -P)
target=$(realpath -m "${1:-target/repeatable}")
cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
# With rustup the version is asked for, without it the one that is there must be it.
if command -v rustup >/dev/null; then export RUSTUP_TOOLCHAIN=$toolchain; fi
found=$(rustc --version)
case "$found" in
    "rustc $toolchain "*) ;;
    *) echo "found $found, wanted rustc $toolchain" >&2; exit 2 ;;
esac
if [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then
    echo "the checkout is changed; commit first, or the executable names a commit it is not" >&2
    exit 2
fi

# Files are named as in every other build: below /deckproof, /build and /cargo. Functions of the same code become one.
export RUSTFLAGS="-C link-arg=-Wl,--icf=all --remap-path-prefix=$root=/deckproof --remap-path-prefix=$target=/build --remap-path-prefix=$cargo_home=/cargo"
export CFLAGS="-ffile-prefix-map=$root=/deckproof -ffile-prefix-map=$target=/build -ffile-prefix-map=$cargo_home=/cargo -g0"
export CARGO_PROFILE_DIST_STRIP=symbols CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH=0 LC_ALL=C TZ=UTC
unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS
cargo build --profile dist --locked ${RELEASE_FLAGS:-} --target-dir "$target"

program=$target/dist/deckproof
# The licences of others ask that their texts go along with the executable.
notices=$target/dist/THIRD-PARTY.txt
# shellcheck disable=SC2086
python3 tests/tools/third_party.py ${RELEASE_FLAGS:-} > "$notices"
bytes=$(stat -c %s "$program")
# Any absolute path of this machine: its folders by name, and what looks like a home.
paths=$(strings -n 6 "$program" | grep -cE "$root|$target|$cargo_home|/home/|/root/|/Users/|/tmp/[a-z]" || true)
echo "commit   $(git rev-parse HEAD 2>/dev/null || echo unknown)"
echo "rustc    $found"
echo "cc       $(${CC:-cc} --version | head -n 1)"
echo "bytes    $bytes"
echo "paths    $paths"
echo "sha256   $(sha256sum "$program" | cut -d ' ' -f 1)"
echo "notices  $notices, sha256 $(sha256sum "$notices" | cut -d ' ' -f 1)"
[ "$paths" = 0 ] || { echo "absolute paths are in the executable" >&2; exit 1; }
[ "$bytes" -le "$bytes_max" ] || { echo "found $bytes bytes, wanted at most $bytes_max" >&2; exit 1; }
