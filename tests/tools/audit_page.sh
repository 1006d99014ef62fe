#!/usr/bin/env bash
# The audit of an export in one web page: tests/tools/audit_page.sh [AUDIT.html], by default target/audit.html.
# It takes rustup or the target wasm32-wasip1, and Node.js 20. The same commit and toolchain give the same bytes. PROFILE is what it is
# built by; without it that of what is handed out.
set -euo pipefail
cd "$(dirname "$0")/../.."

toolchain=1.95.0
profile=${PROFILE:-dist}
out=$(realpath -m "${1:-target/audit.html}")
root=$(pwd -P)
cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
if command -v rustup >/dev/null; then
    export RUSTUP_TOOLCHAIN=$toolchain
    rustup target add wasm32-wasip1
fi
export RUSTFLAGS="-C target-feature=+simd128 -C strip=symbols --remap-path-prefix=$root=/deckproof --remap-path-prefix=$cargo_home=/cargo"
unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS
cargo build --profile "$profile" --locked -p deckproof-browser --target wasm32-wasip1 --target-dir target/page
cd web
npm ci --no-audit --no-fund --ignore-scripts
node audit.mjs ../target/page/wasm32-wasip1/$profile/deckproof-browser.wasm "$out"
