#!/usr/bin/env bash
# A log of deckproof before `siglog`, a log server of its own: its library reads tiles, entries and checkpoint and
# makes the same consistency proof; its witness cosigns the log over the loopback, then its growth, and refuses an
# altered proof and a tree it has outgrown. Takes the deckproof binary; needs curl, and network for the first build.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
deckproof=$(realpath "${1:?wanted the deckproof binary}")
build=${CARGO_TARGET_DIR:-$here/target}
port=${PORT:-18081}
(cd "$here" && CARGO_TARGET_DIR=$build cargo build --locked)
work=$(mktemp -d)
witness=
trap '[ -z "$witness" ] || kill "$witness"; rm -rf "$work"' EXIT
cd "$work"
"$deckproof" log init log --origin stud.example/log1 --key log.key --trust trust.json > /dev/null
vkey=$(tr -d "\n" < trust.json | sed "s/.*\"log\": *\[ *\"\([^\"]*\)\".*/\1/")
deal() { "$deckproof" deal "$@" --table T-1 --out hands --log log --log-key log.key > /dev/null; }

DATABASE_URL="sqlite:./w.db?mode=rwc" "$build/debug/siglog-witness" stud.example/log1 "$vkey" "127.0.0.1:$port" &
witness=$!
for _ in $(seq 50); do curl -s "http://127.0.0.1:$port/health" > /dev/null && break; sleep 0.2; done
post() { curl -s -o answer -w '%{http_code}' --data-binary "@$1" "http://127.0.0.1:$port/add-checkpoint"; }
wanted() { # file, status, what it is
    local status
    status=$(post "$1")
    [ "$status" = "$2" ] || { echo "$3: found status $status, wanted $2: $(cat answer)"; exit 1; }
    echo "witness: $3: $status $(head -c 60 answer | tr '\n' ' ')"
}

deal --hands 3 --rules stud-hi --seats 1,2,4,5
"$deckproof" log prove --from 0 log > first
wanted first 200 "cosigns a log of 9 entries"
deal --continue --hands 90
"$deckproof" log prove --from 9 log > grown
"$build/debug/siglog-reads" log "$vkey" grown
sed '2s/^./\x00/;2s/\x00/!/' grown > unreadable
awk 'NR == 2 { c = substr($0, 1, 1); $0 = (c == "A" ? "B" : "A") substr($0, 2) } { print }' grown > altered
wanted unreadable 400 "does not read a proof that is no base64"
wanted altered 422 "refuses an altered consistency proof"
wanted grown 200 "cosigns the log grown to 279 entries"
wanted first 409 "refuses the tree of 9 entries afterwards"
