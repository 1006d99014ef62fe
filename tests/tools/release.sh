#!/usr/bin/env bash
# The executable that is handed out: tests/tools/release.sh [TARGET_FOLDER]
# It holds everything (Parquet, PDF, beacon) and starts on Linux with glibc 2.17 or later. PLATFORM=aarch64-unknown-linux-gnu.2.17 builds
# for another platform, PLATFORM=x86_64-unknown-linux-musl a static one; FEATURES='' leaves PDF out.
# Its bytes depend on the commit and on the three versions below, and on no folder, home, user or time. Two people who build one commit
# compare the SHA-256 that it prints. THIRD-PARTY.txt beside it holds the notices of what is in it, and is handed out with it; so is
# deckproof.cdx.json, its bill of materials (CycloneDX), where cargo-cyclonedx is installed. AUDITABLE=1 puts the list of crates into the
# executable too, where cargo-auditable is installed; then its bytes depend on the folder of that tool (measured), so that nobody else
# can compare them.
set -euo pipefail
cd "$(dirname "$0")/../.."

toolchain=1.95.0
# The C compiler and linker, with headers of every glibc; both from PyPI, into the target folder.
zig=0.17.1
zigbuild=0.24.1
# `cargo install --locked cargo-cyclonedx@VERSION`; another version writes other bytes.
cyclonedx=0.5.9
platform=${PLATFORM:-x86_64-unknown-linux-gnu.2.17}
features=${FEATURES-pdf,tls}
bytes_max=$((56 << 20))

root=$(pwd -P)
target=$(realpath -m "${1:-target/repeatable}")
cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
# With rustup the version is asked for, without it the one that is there must be it.
if command -v rustup >/dev/null; then
    export RUSTUP_TOOLCHAIN=$toolchain
    rustup target add "${platform%%.*}"
fi
found=$(rustc --version)
case "$found" in
    "rustc $toolchain "*) ;;
    *) echo "found $found, wanted rustc $toolchain" >&2; exit 2 ;;
esac
if [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then
    echo "the checkout is changed; commit first, or the executable names a commit it is not" >&2
    exit 2
fi
python3 -m venv "$target/zig"
"$target/zig/bin/pip" install --quiet --disable-pip-version-check "ziglang==$zig" "cargo-zigbuild==$zigbuild"
export PATH="$target/zig/bin:$PATH"

# Files are named as in every other build: below /deckproof, /build and /cargo.
export RUSTFLAGS="--remap-path-prefix=$root=/deckproof --remap-path-prefix=$target=/build --remap-path-prefix=$cargo_home=/cargo"
export CFLAGS="-ffile-prefix-map=$root=/deckproof -ffile-prefix-map=$target=/build -ffile-prefix-map=$cargo_home=/cargo -g0"
export CARGO_PROFILE_DIST_STRIP=symbols CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH=0 LC_ALL=C TZ=UTC
unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS
build=(zigbuild)
crates="skipped: AUDITABLE=1 asks for the list of crates in the executable"
if [ "${AUDITABLE:-0}" = 1 ] && command -v cargo-auditable >/dev/null; then
    build=(auditable zigbuild)
    crates="in the executable, by cargo-auditable"
elif [ "${AUDITABLE:-0}" = 1 ]; then
    crates="skipped: cargo-auditable is not installed"
fi
cargo "${build[@]}" --package deckproof --profile dist --locked --features "$features" --target "$platform" --target-dir "$target"

folder=$target/${platform%%.*}/dist
program=$folder/deckproof
[ -f "$program" ] || program=$folder/deckproof.exe
# The licences of others ask that their texts go along with the executable.
notices=$folder/THIRD-PARTY.txt
python3 tests/tools/third_party.py --features "$features" --filter-platform "${platform%%.*}" > "$notices"
# What is linked and what builds it, on this platform and with these features. The tool writes beside every Cargo.toml, so it is given a copy.
materials=$folder/deckproof.cdx.json
listed="skipped: it takes cargo-cyclonedx $cyclonedx and a git checkout"
if [ "$(cargo cyclonedx --version 2>/dev/null)" = "cargo-cyclonedx-cyclonedx $cyclonedx" ] && git rev-parse --quiet --verify HEAD >/dev/null 2>&1; then
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    git archive HEAD | tar -x -C "$copy"
    cargo cyclonedx -qq --manifest-path "$copy/Cargo.toml" --format json --spec-version 1.5 --features "$features" --target "${platform%%.*}" \
        --override-filename deckproof.cdx
    sed "s|$copy|/deckproof|g" "$copy/deckproof.cdx.json" > "$materials"
    listed="$materials, sha256 $(sha256sum "$materials" | cut -d ' ' -f 1)"
fi
bytes=$(stat -c %s "$program")
# Any absolute path of this machine: its folders by name, and what looks like a home.
paths=$(strings -n 6 "$program" | grep -cE "$root|$target|$cargo_home|/(home|root|Users|tmp)/[a-zA-Z]" || true)
# The latest version of a symbol that it wants of the C library: older systems refuse to start it.
glibc=$(strings -n 6 "$program" | { grep -oE 'GLIBC_[0-9.]+' || true; } | sort -uV | tail -n 1)
echo "commit   $(git rev-parse HEAD 2>/dev/null || echo unknown)"
echo "rustc    $found"
echo "zig      $zig, cargo-zigbuild $zigbuild"
echo "platform $platform, wants ${glibc:-no C library}"
echo "bytes    $bytes"
echo "paths    $paths"
echo "sha256   $(sha256sum "$program" | cut -d ' ' -f 1)"
echo "notices  $notices, sha256 $(sha256sum "$notices" | cut -d ' ' -f 1)"
echo "sbom     $listed"
echo "crates   $crates"
[ "$paths" = 0 ] || { echo "absolute paths are in the executable" >&2; exit 1; }
[ "$bytes" -le "$bytes_max" ] || { echo "found $bytes bytes, wanted at most $bytes_max" >&2; exit 1; }
case "$platform" in
    *-gnu.*) [ "$(printf '%s\n' "$glibc" "GLIBC_${platform#*gnu.}" | sort -V | tail -n 1)" = "GLIBC_${platform#*gnu.}" ] ||
        { echo "found $glibc, wanted at most ${platform#*gnu.}" >&2; exit 1; } ;;
esac
