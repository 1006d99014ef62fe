#!/usr/bin/env bash
# Wheels for other machines, cross-built: python/wheels.sh [OUT_FOLDER]
# One wheel a platform serves every Python from 3.11 on. PLATFORMS names others than the four below. Needs rustup, Python 3.11 or later with
# venv, and a package index, from which maturin and zig come. Their bytes depend on the commit and the versions below, and on no folder.
set -euo pipefail
cd "$(dirname "$0")/.."
toolchain=1.95.0
zig=0.17.1
maturin=1.16.0
platforms=${PLATFORMS-x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl x86_64-pc-windows-gnu}

root=$(pwd -P)
out=$(realpath -m "${1:-target/wheels}")
target=${CARGO_TARGET_DIR:-$root/target/wheels-build}
cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
export RUSTUP_TOOLCHAIN=$toolchain CARGO_TARGET_DIR=$target
# shellcheck disable=SC2086 # each word is a platform
rustup target add $platforms
python3 -m venv "$target/venv"
"$target/venv/bin/pip" install --quiet --disable-pip-version-check "maturin==$maturin" "ziglang==$zig"
export PATH="$target/venv/bin:$PATH"

# Files are named as in the executable that is handed out.
export RUSTFLAGS="--remap-path-prefix=$root=/deckproof --remap-path-prefix=$target=/build --remap-path-prefix=$cargo_home=/cargo"
export CFLAGS="-ffile-prefix-map=$root=/deckproof -ffile-prefix-map=$target=/build -ffile-prefix-map=$cargo_home=/cargo -g0"
export CARGO_PROFILE_PYTHON_STRIP=symbols CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH=315532800 LC_ALL=C TZ=UTC
mkdir -p "$out"
for platform in $platforms; do
    case "$platform" in
        *-gnu) policy=manylinux2014 ;;
        *-musl) policy=musllinux_1_2 ;;
        *) policy=pypi ;;
    esac
    case "$platform" in *windows*) policy=pypi ;; esac
    maturin build --quiet --zig --target "$platform" --compatibility "$policy" --manifest-path python/Cargo.toml --out "$out"
done
(cd "$out" && sha256sum -- *.whl)
