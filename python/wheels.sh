#!/usr/bin/env bash
# Wheels for machines without a Rust toolchain: python/wheels.sh FOLDER [PLATFORM …]
# Without a platform all of those below; for Windows (x86_64-pc-windows-gnu) maturin 1.16 with zig asks the linker for a symbol that no
# module has. Every wheel serves Python 3.11 and later. Its bytes depend on the commit and the versions below, and on no folder, home or
# user; two people who build one commit compare the SHA-256 that it prints. The bill of materials is that of the release
# (tests/tools/release.sh): the one that maturin would put into a wheel names the folder that it was built in.
set -euo pipefail
cd "$(dirname "$0")"

maturin=1.16.0
zig=0.17.1
folder=$(realpath -m "${1:?wanted a folder for the wheels}")
shift
platforms=("$@")
[ "$#" -gt 0 ] || platforms=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-unknown-linux-musl)

root=$(realpath ..)
target=$(realpath -m "$root/target/wheels")
cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
if [ -n "$(git status --porcelain --untracked-files=no 2>/dev/null)" ]; then
    echo "the checkout is changed; commit first, or the module names a commit it is not" >&2
    exit 2
fi
python3 -m venv "$target/tools"
"$target/tools/bin/pip" install --quiet --disable-pip-version-check "maturin==$maturin" "ziglang==$zig"
export PATH="$target/tools/bin:$PATH"
export RUSTFLAGS="--remap-path-prefix=$root=/deckproof --remap-path-prefix=$target=/build --remap-path-prefix=$cargo_home=/cargo"
export CARGO_TARGET_DIR=$target CARGO_INCREMENTAL=0 SOURCE_DATE_EPOCH=315532800 LC_ALL=C TZ=UTC
unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS
for platform in "${platforms[@]}"; do
    rustup target add "$platform"
    case "$platform" in
        *-musl) libc=(--compatibility musllinux_1_2) ;;
        *) libc=(--compatibility manylinux_2_17) ;;
    esac
    maturin build --quiet --zig --strip --target "$platform" "${libc[@]}" --out "$folder/$platform"
done
sha256sum "$folder"/*/*.whl
