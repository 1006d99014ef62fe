#!/usr/bin/env bash
# `deckproof log witness serve` before others: the conformance tests for witnesses that the crate `siglog` carries, and the log
# server of that crate, whose checkpoints are sent to our witness and cosigned; and our client before its witness.
# Takes the deckproof binary; needs curl, Python with venv, and network for the first build.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
deckproof=$(realpath "${1:?wanted the deckproof binary}")
version=0.1.0
build=${CARGO_TARGET_DIR:-$here/target}
root=${SIGLOG_ROOT:-$here/target/root}
port=${PORT:-18081}
# Not from this folder: the flags of our SQLite leave out what theirs asks for (.cargo/config.toml).
cd /
[ -x "$root/bin/siglog" ] || CARGO_TARGET_DIR=$build cargo install siglog --version "$version" --locked --debug --root "$root"
crate=$(ls -d "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/siglog-$version | head -1)
work=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2> /dev/null || true; rm -rf "$work"' EXIT
cd "$work"

echo "== the conformance tests of siglog $version"
cp -r "$crate/witness-conformance" conformance
python3 -m venv venv
venv/bin/pip -q install pytest requests cryptography pytest-json-report
# Their witness takes its key, its log and its address as words; ours as files, and the key as one of a witness (type 4).
cat > entry <<'PY'
#!/usr/bin/env python3
import base64, hashlib, json, os, sys, tempfile
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
folder = tempfile.mkdtemp()
name, _, seed = words["--private-key"].removeprefix("PRIVATE+KEY+").split("+", 2)
seed = base64.b64decode(seed)[1:]
public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
key_id = hashlib.sha256(name.encode() + b"\n\x04" + public).hexdigest()[:8]
open(folder + "/key", "w").write(f"PRIVATE+KEY+{name}+{key_id}+{base64.b64encode(bytes([4]) + seed).decode()}\n")
origin, vkey = words["--log"].split("=", 1)
json.dump({"origin": origin, "log": [vkey], "witness": [], "quorum": 1}, open(folder + "/trust", "w"))
port = words["--listen"].rsplit(":", 1)[1]
os.execv(os.environ["DECKPROOF"], ["deckproof", "log", "witness", "serve", folder + "/w", "--key", folder + "/key", "--trust", folder + "/trust", "--first", origin, "--listen", "127.0.0.1:" + port])
PY
sed -i "1s|.*|#!$work/venv/bin/python3|" entry
chmod +x entry
(cd conformance && DECKPROOF=$deckproof ../venv/bin/python -m pytest -q --entrypoint="$work/entry" --port="$port" -p no:cacheprovider)

echo "== the log server of siglog, cosigned by our witness"
"$deckproof" log init unused --origin peer.example/log1 --key peer.key --trust trust.json > made
"$deckproof" log cosign --init witness.example/w1 --key w1.key --trust trust.json >> made
"$deckproof" log witness serve w1 --key w1.key --trust trust.json --first peer.example/log1 --listen "127.0.0.1:$port" 2> w1.log & running+=($!)
until grep -q answering w1.log; do sleep 0.1; done
server=$((port + 1))
DATABASE_URL="sqlite:./log.db?mode=rwc" STORAGE_BACKEND=fs FS_ROOT=./tiles "$root/bin/siglog" --origin peer.example/log1 --private-key "$(cat peer.key)" \
    --listen "127.0.0.1:$server" --external-witnesses "w1=http://127.0.0.1:$port" > siglog.log 2>&1 & running+=($!)
for _ in $(seq 100); do curl -sf "http://127.0.0.1:$server/health" > made && break; sleep 0.2; done
for entry in one two three; do
    curl -sf --data-binary "$entry" "http://127.0.0.1:$server/add" > made || true
    sleep 3
    ls w1/*/checkpoint > made && sed -n 2p w1/*/checkpoint
done
echo "what our witness cosigned:"
cat w1/*/checkpoint
echo "what their log publishes:"
curl -s "http://127.0.0.1:$server/checkpoint"
cat w1.log

echo "== our client before the witness of siglog"
"$deckproof" log init log --origin stud.example/log1 --key log.key --trust stud.json > made
vkey() { tr -d "\n" < "$1" | sed "s/.*\"log\": *\[ *\"\([^\"]*\)\".*/\1/"; }
"$deckproof" log init unused2 --origin witness.example/w2 --key w2.key --trust w2.json > made
other=$((port + 2))
"$root/bin/witness" --database-url "sqlite:./w.db?mode=rwc" --private-key "$(cat w2.key)" --log "stud.example/log1=$(vkey stud.json)" \
    --listen "127.0.0.1:$other" > w2.log 2>&1 & running+=($!)
for _ in $(seq 50); do curl -s "http://127.0.0.1:$other/health" > made && break; sleep 0.2; done
deal() { "$deckproof" deal "$@" --table T-1 --out hands --log log --log-key log.key > made; }
ask() { "$deckproof" log checkpoint log --trust stud.json --witness "http://127.0.0.1:$other" > made || echo "exit code $?"; }
deal --hands 3
ask
deal --continue --hands 90
# It was asked with size 0, said 9, and took the proof from there. Its line has no time: no trust file takes its key.
ask
