"""Deals hands with PokerKit as the game engine at a running or new service, and then verifies every bundle of every hand.

    pip install pokerkit==0.7.7
    python3 tests/tools/serve_pokerkit.py deal  target/debug/deckproof FOLDER 5000
    python3 tests/tools/serve_pokerkit.py judge target/debug/deckproof FOLDER
    python3 tests/tools/serve_pokerkit.py mirror target/debug/deckproof FOLDER [RULES…]

`mirror` deals each hand of our decks that no seed cut once more at tables M-RULES, from the same 52 cards handed in as the
operator's own deck, and compares what `verify` says of both full reveals: nothing but `derivation` may differ.
Six tables, three rule sets, each with our decks and with decks of Python's `random.SystemRandom`; HANDS at each. What was
dealt before goes on where it stopped, and so does judging: FOLDER/judged-TABLE has a line for each hand that was judged.
"""
import collections, http.client, json, os, pathlib, socket, subprocess, sys, time

TABLES = [(rules, own) for rules in ("stud-hi", "stud-8b", "espacejeux") for own in ("", "own")]
HANDS_AT_ONCE = 40


class Door(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)

    def ask(self, name, **body):
        self.request("POST", f"/v1/{name}", json.dumps(body), {"Content-Type": "application/json"})
        answer = self.getresponse()
        return answer.status, json.loads(answer.read())


def service(program, folder):
    if not (folder / "log.key").exists():
        (folder / "room").mkdir(parents=True)
        init = ["log", "init", "room/log", "--origin", "stud.example/log1", "--key", "log.key", "--trust", "trust.json"]
        subprocess.run([program, *init], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    served = subprocess.Popen([program, "serve", "room", "--log-key", "log.key"], cwd=folder, stderr=subprocess.PIPE)
    served.stderr.readline()
    return served


def deal(folder, hands):
    client = pathlib.Path(__file__).resolve().parents[2] / "examples/clients/table.py"
    servers = []
    for rules, own in TABLES:
        status, at = Door(str(folder / "room/socket")).ask("status", table=f"T-{rules}{own}")
        left = hands - (at["ended"] if status == 200 else 0)
        words = [sys.executable, str(client), "room/socket", f"T-{rules}{own}", str(left), rules, *([own] if own else [])]
        servers += [subprocess.Popen(words, cwd=folder)] if left > 0 else []
    assert all(server.wait() == 0 for server in servers)


def bundles(door, table, hand):
    """The full reveal and the bundle of each seat; of a voided hand the void form, if it was opened."""
    status, answer = door.ask("bundle", table=table, hand=hand, full=True)
    if status == 404:
        return {}
    assert status == 200, (table, hand, answer)
    full = answer["bundle"]
    found = {"full": full}
    seats = next(line for line in json.loads(full)["open_entry"].split("\n") if line.startswith("seats ")).split()[1].split(",")
    for seat in seats:
        status, answer = door.ask("bundle", table=table, hand=hand, seat=int(seat))
        assert status == 200, (table, hand, seat, answer)
        if "bundle" in answer:
            found[seat] = answer["bundle"]
    return found


def judge_table(program, folder, table, progress):
    door, judged = Door(str(folder / "room/socket")), folder / f"judged-{table}"
    done = judged.read_text().count("\n") if judged.exists() else 0
    last = door.ask("status", table=table)[1]["ended"]
    while done < last:
        names, place = [], folder / f"work-{table}"
        place.mkdir(exist_ok=True)
        numbers = range(done + 1, min(done + HANDS_AT_ONCE, last) + 1)
        for hand in numbers:
            for who, text in bundles(door, table, hand).items():
                names.append((hand, who, f"{hand}-{who}.json"))
                (place / names[-1][2]).write_text(text)
        words = [program, "verify", "--trust", "../trust.json", "--json", *(name for _, _, name in names)]
        said = subprocess.run(words, cwd=place, capture_output=True, text=True)
        lines = {line["file"]: line for line in map(json.loads, said.stdout.splitlines())}
        assert len(lines) == len(names) and said.returncode in (0, 2), (said.returncode, said.stdout[:2000], said.stderr[:2000])
        for hand in numbers:
            found = {who: lines[name] for of, who, name in names if of == hand}
            assert all(line["verdict"] != "refused" for line in found.values()), (table, hand, found)
            full = found.get("full", {"claims": [], "findings": {}})
            claims = sorted(f"{c['subject']}={c['state']}" for c in full["claims"])
            row = {"hand": hand, "bundles": len(found), "void": 0 < len(found) < 2, "verdicts": sorted({line["verdict"] for line in found.values()}), "claims": claims}
            with judged.open("a") as file:
                file.write(json.dumps(row) + "\n")
        for _, _, name in names:
            (place / name).unlink()
        done = numbers[-1]
        progress(table, done, last)


def verified(program, folder, texts):
    """What verify says of bundles, by name."""
    place = folder / "work-mirror"
    place.mkdir(exist_ok=True)
    for name, text in texts.items():
        (place / name).write_text(text)
    words = [program, "verify", "--trust", "../trust.json", "--json", *texts]
    said = subprocess.run(words, cwd=place, capture_output=True, text=True)
    assert said.returncode in (0, 2), said.stdout[:2000] + said.stderr[:2000]
    return {line["file"]: line for line in map(json.loads, said.stdout.splitlines())}


def differences(ours, own):
    """Where two answers differ, besides in the names of table and hand and in the digests of the entries."""
    found = set()
    for key in ours.keys() | own.keys():
        if key in ("file", "hand", "commitment", "proofs", "bundle"):
            continue
        if key == "claims":
            found |= {("claim", c["subject"]) for a, b in ((ours, own), (own, ours)) for c in a[key] if c not in b[key]}
        elif key == "findings":
            found |= {("finding", k) for k in ours[key].keys() | own[key].keys() if ours[key].get(k) != own[key].get(k)}
        elif ours.get(key) != own.get(key):
            found.add(("answer", key))
    return found


def mirror(program, folder, rules):
    """One table of our decks, dealt once more from the same cards."""
    door, of = Door(str(folder / "room/socket")), f"T-{rules}"
    last, counts = door.ask("status", table=of)[1]["ended"], collections.Counter()
    number = first = door.ask("status", table=f"M-{rules}")[1].get("ended", 0)
    for begin in range(1, last + 1, HANDS_AT_ONCE):
        texts = {}
        for hand in range(begin, min(begin + HANDS_AT_ONCE, last + 1)):
            status, answer = door.ask("bundle", table=of, hand=hand, full=True)
            bundle = json.loads(answer.get("bundle", "{}"))
            # A reshuffle of seventh street is drawn by the hash of the deck entry, so that its order is another one.
            is_straight = [line.split(" ")[0] for line in bundle.get("transcript", "").split("\n")[1:-1]]
            is_straight = is_straight == [str(position) for position in range(len(is_straight))]
            if "\nmix none\n" in bundle.get("deck_entry", "") and "close_entry" in bundle and is_straight:
                texts[f"{hand}.json"] = answer["bundle"]
        ours, mirrored, pairs = verified(program, folder, texts) if texts else {}, {}, {}
        for name, text in texts.items():
            number += 1
            bundle, step = json.loads(text), 0

            def call(what, **fields):
                nonlocal step
                step += 1
                status, said = door.ask(what, table=f"M-{rules}", hand=number, step=step, **fields)
                assert status == 200, (name, what, said)
                return said

            opened = ours[name]["opened"]
            call("commit", mix="none", deck=[opened[str(position)] for position in range(52)])
            fields = dict(line.split(" ", 1) for line in bundle["open_entry"].split("\n")[1:-1])
            seats = [int(seat) for seat in fields["seats"].split(",")]
            call("open", rules=rules, seats=seats)
            lines = [line.split(" ") for line in bundle["transcript"].split("\n")[1:-1]]
            for street in sorted({line[2] for line in lines}):
                on = [int(line[1]) for line in lines if line[2] == street and line[3] in "du"]
                call("street", live=[seat for seat in seats if seat in on])
            end = call("close", **({"history": bundle["history"]} if "history" in bundle else {}))
            assert end["transcript"] == bundle["transcript"], (name, number)
            mirrored[f"own-{name}"], pairs[name] = door.ask("bundle", table=f"M-{rules}", hand=number, full=True)[1]["bundle"], f"own-{name}"
        own = verified(program, folder, mirrored) if mirrored else {}
        for name, other in pairs.items():
            counts[str(sorted(differences(ours[name], own[other])))] += 1
    print(f"M-{rules}: {number - first} hands dealt again from the same cards; each differs in", dict(counts), flush=True)


def report(program, folder):
    for rules, own in TABLES:
        rows = [json.loads(line) for line in (folder / f"judged-T-{rules}{own}").read_text().splitlines()]
        verdicts = collections.Counter(v for row in rows for v in row["verdicts"])
        claims = collections.Counter(c for row in rows for c in row["claims"])
        total = sum(row["bundles"] for row in rows)
        print(f"T-{rules}{own}: {len(rows)} hands, {total} bundles, none refused; verdicts {dict(verdicts)}; claims of the full reveals {dict(sorted(claims.items()))}")
    subprocess.run([program, "log", "scan", "room/log", "--trust", "trust.json"], cwd=folder)


def main():
    what, program, folder = sys.argv[1], os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    served = service(program, folder)
    try:
        if what == "deal":
            deal(folder, int(sys.argv[4]))
        elif what == "mirror":
            for rules in sys.argv[4:] or ("stud-hi", "stud-8b", "espacejeux"):
                mirror(program, folder, rules)
        else:
            progress = lambda table, done, last: print(time.strftime("%H:%M:%S"), table, done, "of", last, flush=True)
            for rules, own in TABLES:
                judge_table(program, folder, f"T-{rules}{own}", progress)
            report(program, folder)
    finally:
        served.terminate()
        served.wait()


if __name__ == "__main__":
    main()
