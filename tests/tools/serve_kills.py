"""Kills `deckproof serve` and the poker servers that call it at random moments, and looks whether anything was lost.

    cargo build --release
    python3 tests/tools/serve_kills.py target/release/deckproof 500 [own] [witness] [vault]

Every poker server writes each call down before it makes it, and each answer before it goes on; after its own death it
repeats the call that has no answer. At the end every call that was ever answered is made again: the bytes must be the
same. Every bundle must verify with the receipts that were given out before the cards, and the log must scan clean.
With `own` the decks are those of another generator. With `witness` a witness sees each opening, and is killed as well.
With `vault` hands that ended go into a vault every second; at the end nothing in `secret/` opens a hand, and both keys
open one hand in twenty.
Standard library only.
"""
import collections, glob, hashlib, http.client, json, os, pathlib, random, re, signal, socket, subprocess, sys, tempfile, time

TABLES, CARDS = 14, [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
ORIGIN = "stud.example/log1"


class Door(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.host)

    def ask(self, name, body):
        """The same call until it is answered: a dead service comes back."""
        while True:
            try:
                self.request("POST", f"/v1/{name}", body, {"Content-Type": "application/json"})
                answer = self.getresponse()
                status, text = answer.status, answer.read().decode()
                if status not in (429, 503):
                    return status, text
            except (OSError, http.client.HTTPException):
                self.close()
            time.sleep(0.05)


class Book:
    """What a poker server has written down: calls with their answers, in order."""

    def __init__(self, path):
        self.file, self.made, self.open = open(path, "a+"), [], None
        self.file.seek(0)
        for line in self.file.read().split("\n")[:-1]:
            kind, rest = line.split(" ", 1)
            if kind == "call":
                self.open = tuple(rest.split(" ", 1))
            else:
                self.made.append((*self.open, rest))
                self.open = None

    def write(self, line):
        self.file.write(line + "\n")
        self.file.flush()

    def call(self, door, name, body):
        if self.open != (name, body):
            self.write(f"call {name} {body}")
            self.open = (name, body)
        status, answer = door.ask(name, body)
        assert status == 200, (name, body[:300], status, answer)
        self.write(f"answer {answer}")
        self.made.append((name, body, answer))
        self.open = None
        return json.loads(answer)


def hands(door, book, table, own):
    """Deals for ever. Every choice comes from the table and the hand, so that a new life makes the same calls."""
    replayed = collections.deque(book.made)
    number = 0
    while True:
        number += 1
        dice, step = random.Random(f"{table} {number}"), 0

        def call(name, **fields):
            nonlocal step
            step += 1
            body = json.dumps({"table": table, "hand": number, "step": step, **fields})
            if replayed:
                known = replayed.popleft()
                assert known[:2] == (name, body), (known, name, body)
                return json.loads(known[2])
            return book.call(door, name, body)

        here = sorted(dice.sample(range(1, 9), dice.randint(2, 8)))
        turn = dice.randrange(len(here))
        seats = here[turn:] + here[:turn]
        seeds = {seat: dice.randbytes(32) for seat in seats if dice.random() < 0.3}
        mix = "players" if seeds else "none"
        deck = {"deck": dice.sample(CARDS, 52)} if own else {}
        call("commit", mix=mix, **deck)
        if dice.random() < 0.05:
            call("void", reason="nobody-came")
            continue
        ctx = hashlib.sha256(f"deckproof/v1 hand-id\n{ORIGIN}\n{table}\n{number}\n{mix}\n".encode()).digest()
        commit = {str(seat): hashlib.sha256(b"deckproof/v1 seed-commit" + ctx + bytes([seat]) + seed).hexdigest()
                  for seat, seed in seeds.items()}
        rules = dice.choice(["stud-hi", "stud-8b", "espacejeux"])
        call("open", rules=rules, seats=seats, **({"commits": commit} if seeds else {}))
        if seeds:
            call("cut", seeds={str(seat): seed.hex() for seat, seed in seeds.items()})
        live = seats
        for street in range(dice.randint(1, 5)):
            call("street", live=live)
            if dice.random() < 0.3:
                call("event", seat=dice.choice(live), what="time-out", at=1_800_000_000 + number)
            live = [seat for seat in live if dice.random() < 0.9]
            if len(live) < 2:
                break
        if dice.random() < 0.1:
            call("void", reason="misdeal")
        else:
            call("close", shown_down=live if len(live) > 1 and dice.random() < 0.5 else [])


def start(program, room, place=None):
    asked = ["--trust", f"{room}/trust.json", "--witness", place, "--wait", "2s"] if place else []
    if os.path.exists(f"{room}/b.txt"):
        asked += ["--vault-recipients", f"{room}/a.txt", "--vault-recipients", f"{room}/b.txt", "--vault-every", "1s"]
    return subprocess.Popen([program, "serve", f"{room}/room", "--log-key", f"{room}/log.key", *asked], stderr=subprocess.PIPE)


class Witness:
    """A witness on a port of this machine, which it keeps over its deaths."""

    def __init__(self, program, room):
        self.words = [program, "log", "witness", "serve", f"{room}/w1", "--key", f"{room}/w1.key", "--trust", f"{room}/trust.json"]
        init = [program, "log", "cosign", "--init", "witness.example/w1", "--key", f"{room}/w1.key", "--trust", f"{room}/trust.json"]
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL)
        self.start("127.0.0.1:0", "--first", ORIGIN)

    def start(self, port, *more):
        self.served = subprocess.Popen([*self.words, "--listen", port, *more], stderr=subprocess.PIPE)
        line = self.served.stderr.readline().decode()
        assert "answering on " in line, line
        self.place = line.split("answering on ")[1].strip()

    def kill(self):
        self.served.kill()
        self.served.wait()


def run(program, room, kills, own, witness):
    socket_path = f"{room}/room/socket"

    def poker_server(table):
        words = [sys.executable, __file__, "--table", socket_path, f"{room}/{table}.book", table, "own" if own else ""]
        return subprocess.Popen(words)

    dice = random.Random(7)
    place = witness and witness.place
    service, servers = start(program, room, place), {f"T-{n}": poker_server(f"T-{n}") for n in range(TABLES)}
    counts = collections.Counter()
    for _ in range(kills):
        time.sleep(dice.uniform(0.02, 0.6))
        if witness and dice.random() < 0.2:
            witness.kill()
            time.sleep(dice.uniform(0, 0.4))
            witness.start(place.removeprefix("http://"))
            counts["kills of the witness"] += 1
        elif dice.random() < 0.75:
            service.send_signal(signal.SIGKILL)
            said = service.communicate()[1].decode()
            assert service.returncode == -signal.SIGKILL, said
            service = start(program, room, place)
            counts["kills of the service"] += 1
        else:
            table = dice.choice(sorted(servers))
            assert servers[table].poll() is None, f"{table} has ended by itself"
            servers[table].kill()
            servers[table].wait()
            servers[table] = poker_server(table)
            counts["kills of a poker server"] += 1
    time.sleep(1)
    for table, server in servers.items():
        assert server.poll() is None, f"{table} has ended by itself"
        server.kill()
        server.wait()
    return service, counts


def verified(words, files):
    said = subprocess.run(words + files, capture_output=True, text=True)
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(lines) == len(files) and said.returncode in (0, 2), said.stdout[:2000] + said.stderr
    return lines


def judge(program, room, counts, vault):
    door, want = Door(f"{room}/room/socket"), [program, "verify", "--trust", f"{room}/trust.json", "--json"]
    derivations = collections.Counter()
    for path in sorted(glob.glob(f"{room}/*.book")):
        table, book = os.path.basename(path)[:-5], Book(path)
        if book.open:  # what was not answered when everything ended
            book.call(door, *book.open)
        for name, body, answer in book.made:
            assert door.ask(name, body) == (200, answer), (name, body[:200])
            counts["answers that were the same again"] += 1
        other = json.loads(book.made[0][1]) | {"mix": "beacon"}
        assert door.ask("commit", json.dumps(other))[0] == 409
        at = json.loads(door.ask("status", json.dumps({"table": table}))[1])
        if at["next"]["step"] > 1:
            body = {"table": table, **at["next"], "reason": "end-of-day"}
            assert door.ask("void", json.dumps(body))[0] == 200
        last = json.loads(door.ask("status", json.dumps({"table": table}))[1])["ended"]
        opened = {json.loads(b)["hand"]: json.loads(b)["seats"] for n, b, _ in book.made if n == "open"}
        decks = {json.loads(b)["hand"]: json.loads(a)["receipt"] for n, b, a in book.made if n == "commit"}
        of_table = []
        for hand in range(1, last + 1):
            counts["hands"] += 1
            files = []
            for who in [{"full": True}] + [{"seat": seat} for seat in opened.get(hand, [])]:
                status, text = door.ask("bundle", json.dumps({"table": table, "hand": hand, **who}))
                answer = json.loads(text)
                assert status == 200 or (status == 404 and (hand not in opened or vault and "full" in who)), (status, text)
                counts["hands of which the service opens nothing more"] += vault and "in the vault" in text
                if "bundle" in answer:
                    files.append(f"{room}/{table}-{hand}-{len(files)}.json")
                    counts["bundles whose opening a witness saw"] += "witness.example/w1 " in answer["bundle"]
                    open(files[-1], "w").write(answer["bundle"])
            of_table += files
            if files and hand % 20 == 1:  # with the receipt that was there before the cards
                open(f"{room}/deck.proof", "w").write(decks[hand])
                for line in verified(want + ["--receipt", f"{room}/deck.proof"], files):
                    assert line["verdict"] in ("accepted", "deck fixed"), line
                    counts["of these with a receipt: deck fixed before the hand"] += 1
        for begin in range(0, len(of_table), 400):
            for line in verified(want, of_table[begin:begin + 400]):
                assert line["verdict"] != "refused", line
                counts["bundles verified"] += 1
                if line["findings"]["openings"] == 52:
                    derivations[line["findings"]["derivation"]] += 1
    print(dict(counts), "derivation of the full reveals:", dict(derivations))
    return door


def judge_vault(program, room, service, door):
    """Once the service has ended in order nothing that it keeps opens a hand, and the two keys open what they are asked for."""
    ended = {f"T-{n}": json.loads(door.ask("status", json.dumps({"table": f"T-{n}"}))[1])["ended"] for n in range(TABLES)}
    service.terminate()
    assert service.wait(60) == 0
    for path in pathlib.Path(f"{room}/room/secret").rglob("*"):
        assert not path.is_file() or not re.search(rb'"key":"[0-9a-f]', path.read_bytes()), f"{path} opens a hand"
    opened = []
    for table, last in ended.items():
        for hand in range(1, last + 1, 20):
            out = f"{room}/{table}-{hand}-opened.json"
            words = [program, "vault", "open", f"{room}/room", "--table", table, "--hand", str(hand), "--log-key", f"{room}/log.key"]
            words += ["--identity", f"{room}/a.key", "--identity", f"{room}/b.key", "--reason", "kills", "--out", out]
            said = subprocess.run(words, capture_output=True, text=True)
            never = "nothing of it is shown" in said.stderr  # voided before it was opened
            assert said.returncode == 0 or never, said
            opened += [] if never else [out]
    for line in verified([program, "verify", "--trust", f"{room}/trust.json", "--json"], opened):
        assert line["verdict"] != "refused" and line["findings"]["openings"] == 52, line
    print(f"vault: nothing in secret/ opens a hand; {len(opened)} of {sum(ended.values())} hands were opened with both keys and verified")


def main():
    if sys.argv[1] == "--table":
        _, _, path, book, table, own = sys.argv
        hands(Door(path), Book(book), table, own == "own")
    program, kills, own = os.path.abspath(sys.argv[1]), int(sys.argv[2]), "own" in sys.argv[3:]
    with tempfile.TemporaryDirectory() as room:
        os.mkdir(f"{room}/room")
        init = ["log", "init", f"{room}/room/log", "--origin", ORIGIN, "--key", f"{room}/log.key", "--trust", f"{room}/trust.json"]
        subprocess.run([program, *init], check=True, stdout=subprocess.DEVNULL)
        witness = Witness(program, room) if "witness" in sys.argv[3:] else None
        vault = "vault" in sys.argv[3:]
        for holder in "ab" if vault else "":
            public = subprocess.run([program, "vault", "key", "--out", f"{room}/{holder}.key"], check=True, capture_output=True)
            pathlib.Path(f"{room}/{holder}.txt").write_bytes(public.stdout)
        service, counts = run(program, room, kills, own, witness)
        door = judge(program, room, counts, vault)
        if vault:
            judge_vault(program, room, service, door)
        service.kill()
        if witness:
            witness.kill()
        said = service.communicate()[1].decode()
        subprocess.run([program, "log", "scan", f"{room}/room/log", "--trust", f"{room}/trust.json"])
        print("the service said:", said.strip())


if __name__ == "__main__":
    main()
