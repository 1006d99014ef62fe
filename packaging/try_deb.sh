#!/usr/bin/env bash
# The Debian package, tried as somebody who has nothing else: packaging/try_deb.sh DEB [SUITE ...]
# In a new chroot of each suite (bullseye and bookworm where none is named) a new user audits an export, reads the report and verifies
# a hand; the sample configuration refuses, then a night is checked, the package is upgraded, and purged. It takes root, debootstrap and a
# Debian mirror (MIRROR). ROOTS names a folder in which the chroots' contents are kept as archives for the next time.
set -euo pipefail
package=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- bullseye bookworm
cd "$(dirname "$0")/.."
mirror=${MIRROR:-http://deb.debian.org/debian}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
roots=${ROOTS:-$room}

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$package"
    echo "lintian: no error"
else
    echo "lintian: skipped, it is not installed."
fi
if ! command -v debootstrap >/dev/null || [ "$(id -u)" != 0 ]; then
    for suite; do echo "$suite: skipped, debootstrap is not installed or this is not root."; done
    exit 0
fi

# An earlier version to upgrade from: the same files under a lower number.
dpkg-deb -R "$package" "$room/earlier"
sed -i 's/^Version: .*/Version: 0.0.1-1/' "$room/earlier/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$room/earlier" "$room/earlier.deb" >/dev/null

cat > "$room/steps" <<'STEPS'
set -eu
step() { printf '%s: ' "$*"; }
# Runs a command that has to end with this status, as this user in a login of his own; what it says is shown when it does not.
ends() {
    status=$1 user=$2 found=0
    shift 2
    su - "$user" -s /bin/sh -c "$*" > /tmp/said 2>&1 || found=$?
    [ "$found" = "$status" ] || { echo "found status $found, wanted $status: $*"; cat /tmp/said; exit 1; }
}
says() { grep -q -e "$1" /tmp/said || { echo "wanted \"$1\", found:"; cat /tmp/said; exit 1; }; }

step "loader"; ldd --version | sed -n '1s/.* //p'
step "install"; dpkg -i /try/earlier.deb > /dev/null; getent passwd deckproof | cut -d: -f1,6,7
useradd --create-home visitor
cp /try/export.csv /try/seat-4.json /home/visitor/

step "audit of an export"; ends 0 visitor 'deckproof audit export.csv --out first'; says '^ *PASS'; sed -n '/PASS/{p;q}' /tmp/said
step "report"; ends 0 visitor 'grep -c "positional uniformity" first/report.html'; echo "$(wc -c < /home/visitor/first/report.html) bytes"
step "certificate"; ends 0 visitor 'deckproof verify first/certificate.json --rerun --source csv:export.csv'; echo judged again
step "a hand"; ends 0 visitor 'deckproof verify seat-4.json'; sed -n '/onsistent/{p;q}' /tmp/said
step "an altered hand"; sed 's/nhand 1/nhand 2/' /try/seat-4.json > /home/visitor/altered.json
ends 1 visitor 'deckproof verify altered.json'; echo refused

night="deckproof daily --config /etc/deckproof/daily.toml"
step "sample configuration"; ends 2 deckproof "$night"; says 'line 3'; says edit_this_file_first; echo refused, line 3
sed -i '/^edit_this_file_first/d' /etc/deckproof/daily.toml
install -o deckproof -g deckproof -m 640 /try/export.csv /var/lib/deckproof/export.csv
step "a night"; ends 0 deckproof "$night"; sed -n 1p /tmp/said

step "upgrade"; dpkg -i /try/package.deb > /dev/null < /dev/null; dpkg-query -W -f '${Version}\n' deckproof
! grep -q edit_this_file_first /etc/deckproof/daily.toml || { echo "the configuration was replaced"; exit 1; }
step "the record after it"; ends 0 deckproof 'deckproof history shuffler-1 --verify'; sed -n 1p /tmp/said
step "a stranger's eyes"; ends 1 visitor 'cat /etc/deckproof/daily.toml'; echo "configuration closed"

step "purge"; dpkg --purge deckproof > /tmp/said 2>&1 || { cat /tmp/said; exit 1; }
for gone in /usr/bin/deckproof /etc/deckproof /usr/share/doc/deckproof; do
    [ ! -e "$gone" ] || { echo "found $gone, wanted nothing"; exit 1; }
done
[ -f /var/lib/deckproof/shuffler-1/daily.db ] || { echo "the record is gone"; exit 1; }
echo "program and configuration gone, the record stays"
STEPS

for suite; do
    root=$room/$suite
    if [ ! -f "$roots/$suite.tar" ]; then
        debootstrap --variant=minbase "$suite" "$room/new" "$mirror" > "$room/log" 2>&1 || { tail -n 5 "$room/log"; exit 1; }
        tar -cf "$roots/$suite.tar" -C "$room/new" .
        rm -rf "$room/new"
    fi
    mkdir "$root"
    tar -xf "$roots/$suite.tar" -C "$root"
    mkdir "$root/try"
    cp "$package" "$root/try/package.deb"
    cp "$room/earlier.deb" "$room/steps" fixtures/samples/export.csv fixtures/samples/seat-4.json "$root/try/"
    echo "== $suite"
    # Its processes and mounts end with it.
    unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh /try/steps' sh "$root"
    rm -rf "$root"
done
