"""Besieges `deckproof serve`: limits, slow and half-open clients, 10,000 connections, a full and a read-only disk, a clock that
is set back, a second service; and searches everything that it writes, sends and shows for what only `secret/` may hold.

    cargo build
    python3 tests/tools/serve_siege.py target/debug/deckproof [PART …]

As root, for it mounts small disks; with `strace` and `faketime` (Debian's packages), which are named where they lack.
Ends with `sound`. Standard library only.
"""
import glob, http.client, json, os, pathlib, re, resource, shutil, signal, socket, subprocess, sys, tempfile, time

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), None)


class Door(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(120)
        self.sock.connect(self.host)


class Room:
    def __init__(self, program, place, *more, before=(), **env):
        self.program, self.place, self.more, self.before = program, place, more, before
        self.env = os.environ | env
        if not (place / "room/log").exists():
            init = ["log", "init", "room/log", "--origin", "stud.example/log1", "--key", "log.key", "--trust", "trust.json"]
            (place / "room").mkdir(parents=True, exist_ok=True)
            subprocess.run([program, *init], cwd=place, check=True, stdout=subprocess.DEVNULL)
        self.start()

    def start(self):
        words = [*self.before, self.program, "serve", "room", "--log-key", "log.key", *self.more]
        self.served = subprocess.Popen(words, cwd=self.place, stderr=subprocess.PIPE, env=self.env)
        line = self.served.stderr.readline()
        assert b"answering" in line, line

    def end(self):
        self.served.send_signal(signal.SIGTERM)
        return self.served.communicate()[1].decode()

    def request(self, method, path, body=None):
        door = Door(str(self.place / "room/socket"))
        door.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = door.getresponse()
        return answer.status, answer.read()

    def call(self, name, **body):
        status, text = self.request("POST", f"/v1/{name}", json.dumps(body))
        return status, json.loads(text)

    def connect(self):
        wire = socket.socket(socket.AF_UNIX)
        wire.settimeout(120)
        wire.connect(str(self.place / "room/socket"))
        return wire

    def hand(self, table, number, deck=None):
        """A whole hand; the first refusal ends it and is returned."""
        steps = [("commit", {"mix": "none", **({"deck": deck} if deck else {})}), ("open", {"rules": "stud-hi", "seats": [1, 2, 4]})]
        steps += [("street", {"live": [1, 2, 4]})] * 3 + [("close", {"shown_down": [4]})]
        for step, (name, body) in enumerate(steps):
            status, answer = self.call(name, table=table, hand=number, step=step + 1, **body)
            if status != 200:
                return status, answer["error"]
        return 200, None

    def scan(self):
        words = [self.program, "log", "scan", "room/log", "--trust", "trust.json", "--live"]
        said = subprocess.run(words, cwd=self.place, capture_output=True, text=True)
        assert said.returncode == 0 and "whole and in order" in said.stdout, said.stdout + said.stderr


def is_closed_within(wire, seconds):
    """Whether the other side ends the connection, and what it sent before."""
    begin, text = time.time(), b""
    wire.settimeout(seconds + 30)
    try:
        while part := wire.recv(65536):
            text += part
    except ConnectionError:
        pass
    took = time.time() - begin
    assert took <= seconds + 15, took
    return took, text


def limits(program, place):
    room = Room(program, place, "--rate-max", "20", "--tables-max", "2", "--connections-max", "5")
    statuses = {room.call("commit", table="T-1", hand=1, step=1, mix="none")[0] for _ in range(60)}
    assert statuses == {200, 429}, statuses
    assert room.call("commit", table="T-2", hand=1, step=1, mix="none")[0] == 200
    assert room.call("commit", table="T-3", hand=1, step=1, mix="none") [1]["error"] == "busy"
    print("limits: the 21st call in a second at one table and a third table of two are `busy`")
    large = room.connect()
    large.sendall(b"POST /v1/status HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 70000\r\n\r\n")
    assert large.recv(12) == b"HTTP/1.1 413"
    large.close()
    wires = [room.connect() for _ in range(5)]
    time.sleep(0.5)
    waiting = room.connect()
    waiting.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    waiting.settimeout(1)
    try:
        waiting.recv(1)
        raise AssertionError("a sixth connection of five was taken")
    except TimeoutError:
        pass
    wires[0].close()
    waiting.settimeout(20)
    assert waiting.recv(12) == b"HTTP/1.1 200"
    print("limits: a body of 70,000 bytes gets 413; a sixth connection of five waits, and is answered once one ends")
    room.end()


def slow_clients(program, place):
    room = Room(program, place)
    head = room.connect()
    head.sendall(b"POST /v1/status HTTP/1.1\r\nHost: x\r\n")
    body = room.connect()
    body.sendall(b"POST /v1/status HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{")
    deaf = room.connect()
    # It asks for the page again and again, and takes nothing of it.
    deaf.settimeout(2)
    try:
        while True:
            deaf.sendall(b"GET /verify.html HTTP/1.1\r\nHost: x\r\n\r\n")
    except (TimeoutError, ConnectionError):
        pass
    for number in range(1, 6):
        assert room.hand("T-1", number) == (200, None)
    print("slow clients: five hands were dealt beside a half head, a half body and one who reads nothing")
    took, text = is_closed_within(body, 10)
    assert b" 429 " in text.split(b"\r\n")[0] or b" 503 " in text.split(b"\r\n")[0], text
    print(f"slow clients: the half body was answered `busy` and let go after {took:.0f} s")
    took, _ = is_closed_within(head, 60)
    print(f"slow clients: the half head was let go after {took:.0f} s more")
    try:
        for _ in range(5):
            deaf.sendall(b"x" * 1_000_000)
        raise AssertionError("who reads nothing is still connected")
    except ConnectionError:
        print("slow clients: who reads nothing was let go")
    room.end()


def connections(program, place):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    room = Room(program, place, "--connections-max", "10100")
    wires = []
    for _ in range(10_000):
        wires.append(room.connect())
        if len(wires) % 100 == 0:
            wires[-1].sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert wires[-1].recv(12) == b"HTTP/1.1 200"
    begin = time.time()
    for number in range(1, 6):
        assert room.hand("T-1", number) == (200, None)
    memory = re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{room.served.pid}/status").read_text())[1]
    print(f"connections: 10,000 open at once, five hands dealt beside them in {time.time() - begin:.1f} s, {int(memory) // 1024} MB of memory")
    for wire in wires:
        wire.close()
    assert room.request("GET", "/health")[0] == 200
    room.end()


def fill(path):
    with open(path, "wb", buffering=0) as file:
        size = 1 << 20
        while size > 256:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2


def disks(program, place):
    small = place / "small"
    small.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=90m", "tmpfs", small], check=True)
    try:
        room = Room(program, small)
        assert room.hand("T-1", 1) == (200, None)
        number = 1
        for name in ("full", "read-only"):
            if name == "full":
                fill(small / "filler")
            else:
                # What is open for writing keeps a disk from being made read-only: only a failing one becomes so under way (below).
                room.end()
                subprocess.run(["mount", "-o", "remount,ro", small], check=True)
                words = [program, "serve", "room", "--log-key", "log.key"]
                said = subprocess.run(words, cwd=small, capture_output=True, text=True)
                assert said.returncode == 2 and "Read-only" in said.stderr, said
                subprocess.run(["mount", "-o", "remount,rw", small], check=True)
                room.start()
                assert room.hand("T-1", number + 1) == (200, None)
                print("disk: read-only: the service does not start and says why; made writable it deals on")
                break
            refused = (200, None)
            while refused == (200, None):
                number += 1
                refused = room.hand("T-1", number)
            assert refused == (503, "stopped"), refused
            health = room.request("GET", "/health")
            assert health[0] == 503 and not re.search(rb"[0-9a-f]{32}", health[1]), health
            subprocess.run(["mount", "-o", "remount,size=400m", small], check=True)
            for _ in range(100):
                if room.request("GET", "/health")[0] == 200:
                    break
                time.sleep(0.1)
            # The same calls again, from the first one: those that were answered are answered so again.
            assert room.hand("T-1", number) == (200, None)
            room.scan()
            print("disk: full: calls are `stopped`, /health is 503; with room it goes on by itself, the same calls again, the log is whole")
        room.end()
    finally:
        subprocess.run(["umount", "-l", small])


def disk_fails(program, place):
    """A file system that mounts itself read-only on an error, in the middle of a hand."""
    if not shutil.which("mkfs.ext4") or not os.path.exists("/dev/loop-control"):
        return print("SKIPPED: no disk became read-only under way: mkfs.ext4 or loop devices are missing")
    place.mkdir(parents=True)
    image, disk = place / "image", place / "disk"
    disk.mkdir()
    subprocess.run(["truncate", "-s", "300M", image], check=True)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    mount = ["mount", "-o", "loop,errors=remount-ro", image, disk]
    subprocess.run(mount, check=True)
    try:
        room = Room(program, disk)
        assert room.hand("T-1", 1) == (200, None)
        begun = [("commit", {"mix": "none"}), ("open", {"rules": "stud-hi", "seats": [1, 2, 4]})]
        answers = [room.call(name, table="T-1", hand=2, step=step + 1, **body) for step, (name, body) in enumerate(begun)]
        device = subprocess.run(["findmnt", "-no", "SOURCE", disk], capture_output=True, text=True, check=True).stdout.strip()
        pathlib.Path(f"/sys/fs/ext4/{os.path.basename(device)}/trigger_fs_error").write_text("siege")
        street = dict(table="T-1", hand=2, step=3, live=[1, 2, 4])
        refused = room.call("street", **street)
        assert refused[0] == 503 and refused[1]["error"] == "stopped", refused
        health = room.request("GET", "/health")
        assert health[0] == 503 and b"ead-only" in health[1], health
        assert room.call("bundle", table="T-1", hand=1, seat=1)[0] == 200
        assert room.call("street", **street)[0] == 503
        said = room.end()
        subprocess.run(["umount", disk], check=True)
        subprocess.run(["e2fsck", "-fy", image], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(mount, check=True)
        room.start()
        for step, (name, body) in enumerate(begun):
            again = room.call(name, table="T-1", hand=2, step=step + 1, **body)
            assert again == answers[step], (again, answers[step])  # also where the repair left tiles without their bytes
        assert room.call("street", **street)[0] == 200 and room.call("close", table="T-1", hand=2, step=4)[0] == 200
        assert room.hand("T-1", 3) == (200, None)
        room.end()
        room.scan()
        print(f"disk: read-only under way: calls are `stopped`, /health is 503 ({health[1].decode().strip()}), bundles are read; after a repair the same calls go on, the log is whole; it said: {said.strip()!r}")
    finally:
        subprocess.run(["umount", "-l", disk])


def clock(program, place):
    if not FAKETIME:
        return print("SKIPPED: the clock was not set back: faketime is missing")
    stamp = place / "stamp"
    place.mkdir(parents=True)
    stamp.write_text("2030-01-01 00:00:00")
    room = Room(program, place, LD_PRELOAD=FAKETIME, FAKETIME_TIMESTAMP_FILE=str(stamp), FAKETIME_NO_CACHE="1", FAKETIME_DONT_FAKE_MONOTONIC="1")
    assert room.hand("T-1", 1) == (200, None)
    stamp.write_text("2020-01-01 00:00:00")
    assert room.hand("T-1", 2) == (200, None)
    room.end()
    room.start()
    assert room.hand("T-1", 3) == (200, None) and room.call("commit", table="T-1", hand=1, step=1, mix="none")[0] == 200
    room.end()
    room.scan()
    print("clock: set back ten years under way and over a restart: hands go on, answers are the same, the log is whole")


def second(program, place):
    room = Room(program, place)
    words = [program, "serve", "room", "--log-key", "log.key"]
    said = subprocess.run(words, cwd=place, capture_output=True, text=True)
    assert said.returncode == 2 and "another service deals from this folder" in said.stderr, said
    assert room.hand("T-1", 1) == (200, None)
    room.end()
    print("second service: refused, and the first one deals on")


def secrets(program, place):
    if not shutil.which("strace"):
        return print("SKIPPED: the writes were not searched: strace is missing")
    place.mkdir(parents=True)
    trace = place / "trace.txt"
    calls = "trace=write,writev,pwrite64,pwritev,sendto,sendmsg,sendfile"
    room = Room(program, place, "--page", "https://stud.example/verify.html", before=("strace", "-f", "-yy", "-s", "1000000", "-e", calls, "-o", str(trace)))
    errors = []
    for number in range(1, 9):
        assert room.hand("T-1", number, CARDS if number % 2 else None) == (200, None)
        errors.append(room.request("POST", "/v1/commit", json.dumps({"table": "T-1", "hand": number, "step": 1, "mix": "none", "deck": ["7h"] * 52}))[1])
    gets = ["/health", "/metrics", "/verify.html", "/sw.js", "/openapi.json", "/log/checkpoint", "/receipt/0", "/tables/T-1/hands/9/root.svg"]
    assert room.call("commit", table="T-1", hand=9, step=1, mix="none")[0] == 200
    gets += [f"/{path.relative_to(place / 'room')}" for path in (place / "room").rglob("*") if path.is_file()]
    shown = b"".join(room.request("GET", path)[1] for path in gets)
    child = int(subprocess.run(["pgrep", "-P", str(room.served.pid)], capture_output=True, text=True).stdout.split()[0])
    assert re.search(r"Max core file size\s+0\s", pathlib.Path(f"/proc/{child}/limits").read_text())
    os.kill(child, signal.SIGABRT)
    said = room.served.communicate()[1]
    cores = [path for path in place.rglob("core*")]
    assert not cores, cores
    # What it keeps: keys of hands, and by a service of its own the salts of the decks that were ours to give.
    journal = b"".join(path.read_bytes() for path in (place / "room/secret/journal").iterdir())
    keys = {key.decode() for key in re.findall(rb'"key":"([0-9a-f]{64})"', journal)} | {(place / "log.key").read_text().strip().split("+")[-1]}
    plain = Room(program, place)
    salts = set()
    assert room.served.returncode is not None
    for number in range(1, 9):
        bundle = json.loads(plain.call("bundle", table="T-1", hand=number, full=True)[1]["bundle"])
        salts |= {leaf["salt"] for leaf in bundle.get("leaves", [])}
    plain.end()
    assert len(keys) == 10 and len(salts) == 4 * 52, (len(keys), len(salts))
    deck = ", ".join(f'\\"{card}\\"' for card in CARDS[:6]), ",".join(f'\\"{card}\\"' for card in CARDS[:6])
    counts = {"journal": 0, "elsewhere": 0}
    for line in trace.read_text(errors="replace").splitlines():
        into = re.search(r"\w+\(\d+<([^>]*)", line)
        if not into:
            continue
        if "/secret/journal/" in into[1]:
            counts["journal"] += 1
            continue
        counts["elsewhere"] += 1
        found = [secret for secret in keys | salts if secret in line or "".join(f"\\x{secret[i:i + 2]}" for i in range(0, 64, 2)) in line]
        assert not found and not any(part in line for part in deck), line[:300]
    public = shown + b"".join(errors) + said + b"".join(path.read_bytes() for path in (place / "room/log").rglob("*") if path.is_file())
    for secret in keys | salts:
        assert secret.encode() not in public and bytes.fromhex(secret) not in public if re.fullmatch("[0-9a-f]+", secret) else secret.encode() not in public
    assert counts["journal"] > 40 and counts["elsewhere"] > 100, counts
    print(f"secrets: {len(keys)} keys, {len(salts)} salts and the order of four decks: in {counts['journal']} writes to the journal alone, in none of {counts['elsewhere']} others, {len(gets)} GETs, errors and the log; no core file")


def main():
    program, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    parts = (limits, connections, disks, disk_fails, clock, second, secrets, slow_clients)
    with tempfile.TemporaryDirectory() as place:
        for part in parts:
            if not wanted or part.__name__ in wanted:
                part(program, pathlib.Path(place) / part.__name__)
    print("sound")


if __name__ == "__main__":
    main()
