#!/bin/sh
# A table with a log on a full disk, on one that becomes read-only, and killed again and again.
# usage (as root, for it mounts a small tmpfs): full_disk.sh path/to/deckproof [KILLS]
# Ends with "sound" and 0, or with what was found and 1.
set -u
program=$1
kills=${2-20}
place=$(mktemp -d)
trap 'mount -o remount,rw "$place/small" 2>/dev/null; umount "$place/small" 2>/dev/null; rm -rf "$place"' EXIT
mkdir "$place/small"
mount -t tmpfs -o size=600k tmpfs "$place/small" || { echo "no tmpfs can be mounted here"; exit 2; }
cd "$place" || exit 2

fail() { echo "$1"; exit 1; }
deal() { # table, hands
    more=
    [ -e "small/$1/secret/state" ] && more=--continue
    "$program" deal --table "$1" --seats 1,2,3 --hands "$2" --out "small/$1" --log small/log --log-key log.key $more
}
scan() { "$program" log scan small/log --trust trust.json > scanned.txt || fail "$(cat scanned.txt)"; }

"$program" log init small/log --origin stud.example/log1 --key log.key --trust trust.json > /dev/null || exit 2

# Full: the table stops with 2 and says why; with room it goes on, and the log is sound.
deal A 100000 > /dev/null 2> said.txt
[ $? = 2 ] || fail "a full disk did not stop the table with 2: $(cat said.txt)"
grep -q 'No space left' said.txt || fail "the full disk is not named: $(cat said.txt)"
deal A 1 > /dev/null 2>&1 && fail "the table went on on a full disk"
mount -o remount,size=64m small || exit 2
deal A 2 > /dev/null 2> said.txt || fail "it did not go on with room: $(cat said.txt)"
scan
echo "full disk: $(head -1 scanned.txt)"

# Read-only: nothing is dealt, and nothing is lost.
mount -o remount,ro small || exit 2
deal A 1 > /dev/null 2> said.txt
[ $? = 2 ] || fail "a read-only disk did not stop the table with 2: $(cat said.txt)"
mount -o remount,rw small || exit 2
deal A 1 > /dev/null 2> said.txt || fail "it did not go on: $(cat said.txt)"
scan
echo "read-only disk: $(head -1 scanned.txt)"

# Killed, while another table writes the same log.
kill_after=0
while [ "$kills" -gt 0 ]; do
    deal A 100000 > /dev/null 2>&1 & first=$!
    deal B 100000 > /dev/null 2>&1 & second=$!
    kill_after=$(( (kill_after * 31 + 17) % 97 ))
    sleep "0.$(printf %02d $kill_after)"
    kill -9 $first $second 2> /dev/null
    # The shells die, the programs under them must as well.
    for table in A B; do fuser -k -9 "small/$table/lock" > /dev/null 2>&1; done
    wait 2> /dev/null
    kills=$((kills - 2))
done
for table in A B; do
    deal $table 1 > /dev/null 2> said.txt || fail "table $table is wedged: $(cat said.txt)"
done
scan
grep -q ' 0 running' scanned.txt || fail "$(cat scanned.txt)"
echo "kills: $(head -1 scanned.txt)"
echo sound
