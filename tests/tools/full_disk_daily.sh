#!/bin/sh
# The daily check on disks of every size from too small for anything to large enough, and on one that becomes read-only.
# usage (as root, for it mounts a small tmpfs): full_disk_daily.sh path/to/deckproof
# Ends with "sound" and 0, or with what was found and 1.
set -u
program=$1
place=$(mktemp -d)
trap 'mount -o remount,rw "$place/small" 2>/dev/null; umount "$place/small" 2>/dev/null; rm -rf "$place"' EXIT
mkdir "$place/small"
mount -t tmpfs -o size=4m tmpfs "$place/small" || { echo "no tmpfs can be mounted here"; exit 2; }
cd "$place" || exit 2

fail() { echo "$1"; exit 1; }
printf 'name = "T"\nfolder = "small/days"\nsource = "a.csv"\ntiers = "core"\nfresh_decks = 0\n' > daily.toml
export_day() { "$program" stream --decks 1000 --as numbers > a.csv 2> /dev/null || exit 2; }
daily() { "$program" daily --config daily.toml > out.txt 2> err.txt; }
verify() { "$program" history small/days --verify > verify.txt 2>&1 || fail "$1: $(cat verify.txt)"; }

export_day
daily || fail "the first day did not pass: $(cat out.txt err.txt)"
full=0
# From what is used to what a day takes, 4 kB more each time.
used=$(du -sk small | cut -f1)
step=0
while [ "$step" -lt 100 ]; do
    mount -o remount,size=$((used + step))k small || exit 2
    export_day
    daily
    code=$?
    grep -q panicked err.txt && fail "$step kB: $(cat err.txt)"
    [ "$code" = 1 ] && fail "$step kB: a full disk is held against the shuffler: $(cat out.txt err.txt)"
    verify "$step kB of room"
    if [ "$code" = 2 ]; then
        full=$((full + 1))
        [ -s err.txt ] || [ -s out.txt ] || fail "$step kB: nothing was said"
    fi
    mount -o remount,size=64m small || exit 2
    daily
    code=$?
    [ "$code" = 1 ] && fail "$step kB, with room again: $(cat out.txt err.txt)"
    verify "with room again"
    used=$(du -sk small | cut -f1)
    step=$((step + 12))
done
[ "$full" -ge 3 ] || fail "only $full of the disks were too small"
echo "full disks: $full, then $(head -1 verify.txt)"

mount -o remount,ro small || exit 2
export_day
daily
[ $? = 2 ] || fail "a read-only disk did not end with 2: $(cat out.txt err.txt)"
mount -o remount,rw small || exit 2
daily || fail "it did not go on: $(cat out.txt err.txt)"
verify "after the read-only disk"
echo "read-only disk: $(head -1 verify.txt)"
echo sound
