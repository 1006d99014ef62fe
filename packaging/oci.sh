#!/usr/bin/env bash
# The OCI image of a built executable, from scratch: packaging/oci.sh EXECUTABLE [OUT_FOLDER]
# EXECUTABLE is what PLATFORM=x86_64-unknown-linux-musl tests/tools/release.sh built, with THIRD-PARTY.txt beside it: nothing else is in the
# image, so it has to be static. It takes buildah, as root or by `buildah unshare`. The same executable and commit give the same
# image, by its digest.
#   podman run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" oci-archive:deckproof_0.1.0_oci.tar audit export.csv
set -euo pipefail
program=$(realpath "$1")
out=$(realpath -m "${2:-target}")
cd "$(dirname "$0")/.."

if ! command -v buildah >/dev/null; then
    echo "packaging/oci.sh: skipped, buildah is not installed."
    exit 0
fi
if readelf -lW "$program" | grep -q INTERP; then
    echo "$program: found an executable that wants a loader and libraries, wanted a static one: PLATFORM=x86_64-unknown-linux-musl tests/tools/release.sh" >&2
    exit 2
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
image=$out/deckproof_${version}_oci.tar
container=$(buildah from scratch)
trap 'buildah rm "$container" >/dev/null' EXIT
buildah copy --quiet --chmod 755 "$container" "$program" /usr/bin/deckproof >/dev/null
buildah copy --quiet --chmod 644 "$container" "$(dirname "$program")/THIRD-PARTY.txt" LICENSE-MIT LICENSE-APACHE README.md /usr/share/doc/deckproof/ >/dev/null
buildah config --entrypoint '["/usr/bin/deckproof"]' --cmd '["--help"]' --workingdir /work --user 65534:65534 \
    --label org.opencontainers.image.title=deckproof --label "org.opencontainers.image.version=$version" \
    --label "org.opencontainers.image.revision=$(git rev-parse HEAD)" --label "org.opencontainers.image.licenses=MIT OR Apache-2.0" "$container"
mkdir -p "$out"
rm -f "$image"
buildah commit --quiet --format oci --timestamp "$epoch" "$container" "oci-archive:$image:deckproof:$version" >/dev/null
digest=$(tar -xOf "$image" index.json | grep -oE 'sha256:[0-9a-f]{64}' | head -n 1)
echo "$image, $(stat -c %s "$image") bytes, image $digest"
