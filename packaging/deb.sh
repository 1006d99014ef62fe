#!/usr/bin/env bash
# The Debian package of a built executable: packaging/deb.sh EXECUTABLE [OUT_FOLDER]
# EXECUTABLE is what tests/tools/release.sh built, with THIRD-PARTY.txt beside it. It takes dpkg-deb and gzip. The same executable and
# commit give the same package.
set -euo pipefail
program=$(realpath "$1")
out=$(realpath -m "${2:-target}")
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
architecture=$(dpkg --print-architecture)
# What it wants of the C library; a static one wants none.
glibc=$({ grep -aoE 'GLIBC_[0-9]+\.[0-9.]*[0-9]' "$program" || true; } | sort -uV | tail -n 1)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

put() { install -D -m "$1" "$2" "$root$3"; }
put 755 "$program" /usr/bin/deckproof
put 640 packaging/debian/daily.toml /etc/deckproof/daily.toml
put 644 packaging/debian/sysusers.conf /usr/lib/sysusers.d/deckproof.conf
for unit in examples/systemd/*; do
    sed 's|/usr/local/bin/|/usr/bin/|' "$unit" > "$root/unit"
    put 644 "$root/unit" "/lib/systemd/system/$(basename "$unit")"
    rm "$root/unit"
done
"$program" man --out "$root/man"
for page in "$root"/man/*.1; do
    gzip -9n < "$page" > "$root/page"
    put 644 "$root/page" "/usr/share/man/man1/$(basename "$page").gz"
done
for shell in bash:bash-completion/completions/deckproof zsh:zsh/vendor-completions/_deckproof fish:fish/vendor_completions.d/deckproof.fish; do
    "$program" completions "${shell%%:*}" > "$root/page"
    put 644 "$root/page" "/usr/share/${shell#*:}"
done
rm -r "$root/man" "$root/page"
documents=/usr/share/doc/deckproof
for file in README.md PROTOCOL.md SECURITY.md docs/*.md; do put 644 "$file" "$documents/$file"; done
# The form that Debian's tools read; what changed stands in the project's own file.
printf 'deckproof (%s-1) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- The deckproof maintainers <maintainers@deckproof.invalid>  %s\n' \
    "$version" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$root/page"
put 644 "$root/page" "$documents/changelog.Debian.gz"
gzip -9n < CHANGELOG.md > "$root/page"
put 644 "$root/page" "$documents/CHANGELOG.md.gz"
gzip -9n < "$(dirname "$program")/THIRD-PARTY.txt" > "$root/page"
put 644 "$root/page" "$documents/THIRD-PARTY.txt.gz"
{
    printf 'deckproof is under the MIT licence, which follows, or the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0), at your choice.\n'
    printf 'Its executable holds code of others, whose notices stand in THIRD-PARTY.txt.gz beside this file.\n\n'
    cat LICENSE-MIT
} > "$root/page"
put 644 "$root/page" "$documents/copyright"
# The typesetter of PDF reports brings libyaml as a translation into Rust, and names a font by which lintian knows FreeType.
printf 'deckproof: embedded-library freetype *\ndeckproof: embedded-library libyaml *\n' > "$root/page"
put 644 "$root/page" /usr/share/lintian/overrides/deckproof
rm "$root/page"

mkdir "$root/DEBIAN"
echo /etc/deckproof/daily.toml > "$root/DEBIAN/conffiles"
cat > "$root/DEBIAN/control" <<CONTROL
Package: deckproof
Version: $version-1
Architecture: $architecture
Maintainer: The deckproof maintainers <maintainers@deckproof.invalid>
Installed-Size: $(du -sk "$root" | cut -f 1)
${glibc:+Depends: libc6 (>= ${glibc#GLIBC_})
}Suggests: systemd
Section: utils
Priority: optional
Description: shuffle certification and RNG audit for Seven-Card Stud
 Audits a shuffler with exact statistics, checks that a published hand was
 dealt from the deck that was committed before it, and runs a daily check of
 the decks that a card room dealt.
CONTROL
# The user reads the configuration and owns the record; a purge takes the configuration and leaves the record, which is evidence.
cat > "$root/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if command -v systemd-sysusers >/dev/null; then
        systemd-sysusers deckproof.conf
    elif ! getent passwd deckproof >/dev/null; then
        useradd --system --home-dir /var/lib/deckproof --shell /usr/sbin/nologin deckproof
    fi
    install -d -o deckproof -g deckproof -m 750 /var/lib/deckproof
    chgrp deckproof /etc/deckproof/daily.toml
    if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
fi
SCRIPT
cat > "$root/DEBIAN/postrm" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = purge ]; then rm -rf /etc/deckproof; fi
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
SCRIPT
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/postrm"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/deckproof_$version-1_$architecture.deb"
