#!/usr/bin/env python3
"""Starts victims, feeds their first decks to a predictor, compares the next ten, and prints the table.

Standard library only. What is not on the machine is reported as skipped, by name.
"""

import argparse
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
NEXT = 10


class Victim:
    """One program: what it needs, how it is built and started, and how many decks are worth trying."""

    def __init__(self, name, needs, version, start, ladder, build=None, page=False, promised=True, model="", clock=False):
        self.name, self.needs, self.version, self.start = name, needs, version, start
        self.ladder, self.build, self.page, self.promised, self.model = ladder, build, page, promised, model
        self.clock = clock


FEW = [1, 2, 3, 4, 6, 8, 10]
# Fewer of these are searched in vain, until the time is over.
NODE = [2, 3, 4, 5, 6, 8, 10]
ADDITIVE = [3, 7, 30]
SCALED = [39, 40, 44, 48]
SUMS = [64, 96, 128]
PAIRS = [125, 135]
DOUBLES = [150, 160]
LOW_BITS = [470, 500]


def victims(work):
    """The list: one row a victim."""
    here = str(HERE)
    java = ["javac", "-d", work]
    mono = ["mcs", f"-out:{work}/DotNet.exe", f"{here}/DotNet.cs"]
    return [
        Victim("node Math.random", ["node"], ["node", "--version"], ["node", f"{here}/node_math_random.js"], NODE),
        Victim("node sort by keys", ["node"], ["node", "--version"], ["node", f"{here}/node_sort_keys.js"], NODE[2:],
               model="V8 Math.random, sorted by keys"),
        Victim("node sort(() => Math.random() - 0.5)", ["node"], ["node", "--version"], ["node", f"{here}/node_sort_random.js"], NODE),
        *[Victim(f"{program}, {tables} tables in turn", [program], shown, [program, f"{here}/{script}", str(tables)], NODE if program == "node" else FEW, model=f"{model}, every {nth} number")
          for tables, nth in [(2, "2nd"), (3, "3rd"), (4, "4th")]
          for program, shown, script, model in [("node", ["node", "--version"], "node_turns.js", "V8 Math.random"),
                                                ("perl", ["perl", "-e", "print $^V"], "perl_turns.pl", "drand48, Perl rand")]],
        Victim("mono Random.Next(n)", ["mono", "mcs"], ["mono", "--version"], ["mono", f"{work}/DotNet.exe"], FEW,
               build=[mono], model=".NET Random"),
        Victim("mono OrderBy(Next())", ["mono", "mcs"], ["mono", "--version"], ["mono", f"{work}/DotNet.exe", "{calls}", "{decks}", "sort"],
               NODE, build=[mono], model=".NET Random, sorted by keys"),
        *[Victim(f"{program} seeded by the clock", [program], shown, start, [1, 2, 3], clock=True, build=build)
          for program, shown, start, build in [
              ("lua5.4", ["lua5.4", "-v"], ["lua5.4", f"{here}/clock.lua"], None),
              ("Rscript", ["Rscript", "--version"], ["Rscript", f"{here}/clock.R"], None),
              ("go", ["go", "version"], [f"{work}/clock_go"], [["go", "build", "-o", f"{work}/clock_go", f"{here}/clock.go"]]),
              ("php", ["php", "-r", "echo PHP_VERSION;"], ["php", f"{here}/clock.php"], None),
              ("ruby", ["ruby", "--version"], ["ruby", f"{here}/clock.rb"], None),
              ("python3", ["python3", "--version"], ["python3", f"{here}/clock_python.py"], None)]],
        Victim("python3 sample seeded by the clock", ["python3"], ["python3", "--version"],
               ["python3", f"{here}/clock_python.py", "{calls}", "{decks}", "sample"], [3, 4, 5, 6, 8], clock=True),
        Victim("numpy seeded by the clock", ["python3"], ["python3", "-c", "import numpy; print('NumPy', numpy.__version__)"],
               ["python3", f"{here}/clock_numpy.py"], [1, 2, 3], clock=True),
        Victim("firefox Math.random", ["firefox-esr"], ["firefox-esr", "--version"],
               ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}", "{address}"], SUMS, page=True,
               model="SpiderMonkey and JavaScriptCore Math.random"),
        Victim("chromium Math.random", ["chromium"], ["chromium", "--version"],
               ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir={profile}",
                "--remote-debugging-port=0", "{address}"], SUMS, page=True, model="V8 Math.random of 2026"),
        Victim("java Collections.shuffle", ["java", "javac"], ["java", "--version"],
               ["java", "-cp", work, "CollectionsShuffle"], FEW, build=[java + [f"{here}/CollectionsShuffle.java"]]),
        Victim("java Math.random", ["java", "javac"], ["java", "--version"], ["java", "-cp", work, "MathRandom"], FEW,
               build=[java + [f"{here}/MathRandom.java"]]),
        Victim("perl List::Util shuffle", ["perl"], ["perl", "-e", "print $^V"], ["perl", f"{here}/list_util.pl"], FEW),
        Victim("perl rand", ["perl"], ["perl", "-e", "print $^V"], ["perl", f"{here}/perl_rand.pl"], FEW),
        Victim("perl sort by keys", ["perl"], ["perl", "-e", "print $^V"], ["perl", f"{here}/perl_sort_keys.pl"], FEW,
               model="drand48, Perl rand, sorted by keys"),
        Victim("tcl rand()", ["tclsh"], ["sh", "-c", "echo 'puts [info patchlevel]' | tclsh"],
               ["tclsh", f"{here}/tcl_rand.tcl"], FEW),
        Victim("bash RANDOM % n", ["bash"], ["bash", "--version"], ["bash", f"{here}/bash_random.sh"], NODE, model="bash RANDOM % n"),
        Victim("glibc rand() % n", ["gcc"], ["ldd", "--version"], [f"{work}/glibc_rand"], ADDITIVE,
               build=[["gcc", "-O2", "-o", f"{work}/glibc_rand", f"{here}/glibc_rand.c"]],
               model="glibc rand() % n, glibc rand() % n, few decks"),
        Victim("mawk rand()", ["mawk"], ["mawk", "-W", "version"], ["mawk", "-f", f"{here}/mawk_rand.awk"], SCALED,
               model="glibc and BSD random() scaled"),
        Victim("glibc drand48() * n", ["gcc"], ["ldd", "--version"], [f"{work}/drand48"], FEW,
               build=[["gcc", "-O2", "-o", f"{work}/drand48", f"{here}/drand48.c"]]),
        *[Victim(f"g++ std::shuffle {engine}", ["g++"], ["g++", "--version"], [f"{work}/shuffle_{engine}"], ladder,
                 build=[["g++", "-O2", f"-DENGINE={engine}", "-o", f"{work}/shuffle_{engine}", f"{here}/std_shuffle.cpp"]], model=model)
          for engine, ladder, model in [("minstd_rand", FEW, ""), ("mt19937", PAIRS, "MT19937")]],
        *[Victim(f"g++ double {engine}", ["g++"], ["g++", "--version"], [f"{work}/double_{engine}"], ladder,
                 build=[["g++", "-O2", f"-DENGINE={engine}", "-o", f"{work}/double_{engine}", f"{here}/std_double.cpp"]], model=model)
          for engine, ladder, model in [("minstd_rand0", FEW, ""), ("minstd_rand", FEW, ""), ("mt19937", DOUBLES, "MT19937")]],
        *[Victim(name, [program], shown, [program, f"{here}/{script}"], ladder, model="MT19937")
          for name, program, shown, script, ladder in [
              ("php shuffle()", "php", ["php", "-r", "echo PHP_VERSION;"], "php_shuffle.php", LOW_BITS),
              ("php mt_rand()", "php", ["php", "-r", "echo PHP_VERSION;"], "php_mt_rand.php", LOW_BITS),
              ("ruby rand * n", "ruby", ["ruby", "--version"], "ruby_rand.rb", DOUBLES),
              ("python random() * n", "python3", ["python3", "--version"], "python_random.py", DOUBLES)]],
        Victim("ruby Array#shuffle", ["ruby"], ["ruby", "--version"], ["ruby", f"{here}/ruby_shuffle.rb"], [200],
               promised=False),
        Victim("python random.shuffle", ["python3"], ["python3", "--version"], ["python3", f"{here}/python_shuffle.py"],
               [200], promised=False),
    ]


class Pages:
    """A server on the loopback address that hands out the page and takes the decks it sends back."""

    def __init__(self):
        pages = self
        self.decks, self.arrived = None, threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                known = urllib.parse.urlparse(self.path).path == "/page.html"
                body = (HERE / "page.html").read_bytes() if known else b""
                self.answer(200 if known else 404, body)

            def do_POST(self):
                pages.decks = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.answer(200, b"")
                pages.arrived.set()

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def deal(self, victim, calls, decks):
        """Starts the browser on the page, and ends it when the decks are here."""
        self.arrived.clear()
        address = f"http://127.0.0.1:{self.server.server_address[1]}/page.html?calls={calls}&decks={decks}"
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            command = [part.format(profile=profile, address=address) for part in victim.start]
            browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
            arrived = self.arrived.wait(60)
            os.killpg(browser.pid, 15)
            try:
                browser.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(browser.pid, 9)
                browser.wait()
        if not arrived:
            raise RuntimeError("the page sent no decks within 60 seconds")
        return self.decks.splitlines()


def missing(victim):
    return [program for program in victim.needs if shutil.which(program) is None]


def version(victim):
    shown = subprocess.run(victim.version, capture_output=True, text=True).stdout.strip().splitlines()
    return shown[0] if shown else "unknown"


def deal(victim, pages, calls, decks):
    """The decks of one fresh process after `calls` calls."""
    if victim.page:
        return pages.deal(victim, calls, decks)
    start = [part.format(calls=calls, decks=decks) for part in victim.start]
    start += [] if start != victim.start else [str(calls), str(decks)]
    shown = subprocess.run(start, capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()


def kept(victim, options, pages, run):
    """The decks of one run: those that an earlier call dealt into the folder of --keep, or of a fresh process."""
    count = victim.ladder[-1] + options.next
    path = options.keep and pathlib.Path(options.keep) / f"{re.sub('[^A-Za-z0-9]+', '_', victim.name).strip('_')}-{run + 1:03}.txt"
    if path and path.exists():
        decks = path.read_text().splitlines()
        if len(decks) < count:
            raise SystemExit(f"{path} holds {len(decks)} decks, and {count} are needed")
        return decks
    decks = deal(victim, pages, random.SystemRandom().randrange(1000), count)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(decks) + "\n")
    return decks


def predict(predictor, victim, decks, work):
    """The next decks as the predictor names them, or none; and its seconds."""
    path = pathlib.Path(work) / "known.txt"
    path.write_text("\n".join(decks) + "\n")
    begun = time.monotonic()
    now = int(time.time())
    shown = subprocess.run([part.format(file=path, model=victim.model, now=now) for part in predictor], capture_output=True, text=True)
    return named(shown.stdout), time.monotonic() - begun


def named(text):
    """The next decks of an object of `deckproof predict --json` or `audit --json`, or of lines that begin with "next"."""
    number = lambda card: str(4 * "23456789TJQKA".index(card[0]) + "cdhs".index(card[1]))
    if text.startswith("{"):
        said = json.loads(text)
        if "proofs" in said:
            proofs = re.findall(r"The deck after these is ([2-9TJQKAcdhs ]+)\.", " ".join(said["proofs"]))
            return [[number(card) for card in proofs[0].split()]] if proofs and said["verdict"] == "fail" else []
        found = said["recovered"]
        return [[number(card) for card in deck.split()] for deck in found[0]["next"]] if found else []
    lines = [line.split() for line in text.splitlines()]
    return [line[1:] for line in lines if line and line[0] == "next"]


def least(victim, predictor, decks, work, following):
    """The least number of first decks after which the next ones come out right, and the seconds of that run."""
    for known in victim.ladder:
        named, seconds = predict(predictor, victim, decks[:known], work)
        if named and len(named) >= following:
            true = [deck.split() for deck in decks[known:known + following]]
            return known, named[:following] == true, seconds
    return None, False, 0.0


def row(victim, options, pages, work):
    """One line of the table."""
    for command in victim.build or []:
        subprocess.run(command, check=True)
    if options.ladder:
        victim.ladder = [int(known) for known in options.ladder.split(",")]
    predicting = not options.only_deal
    needed, wrong, times = [], 0, []
    for run in range(options.runs):
        decks = kept(victim, options, pages, run)
        if not predicting:
            continue
        predictor = options.clock_predictor if victim.clock else options.predictor
        known, right, seconds = least(victim, predictor, decks, work, options.next)
        if options.each:
            print(f"{victim.name}: run {run + 1}: {known}, {'right' if right else 'WRONG' if known else 'not recovered'}, {seconds:.1f} s", flush=True)
        if known is not None and right:
            needed.append(known)
            times.append(seconds)
        elif known is not None:
            wrong += 1
            print(f"{victim.name}: run {run + 1} named wrong decks after {known}", file=sys.stderr)
        else:
            path = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="victim-")) / f"lost-{run + 1:03}.txt"
            path.write_text("\n".join(decks) + "\n")
            print(f"{victim.name}: run {run + 1} not recovered, see {path}", file=sys.stderr)
    spread = f"{min(needed)} / {int(statistics.median(needed))} / {max(needed)}" if needed else "–"
    right = f"{len(needed)} of {options.runs}" + (f", {wrong} wrong" if wrong else "")
    seconds = f"{statistics.median(times):.2f}" if times else "–"
    note = "" if victim.promised else "not promised"
    return f"| {victim.name} | {version(victim)} | {spread} | {right} | {seconds} | {note} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100, help="processes started of each victim")
    parser.add_argument("--only", default="", help="victims whose name contains this")
    parser.add_argument("--deal", type=int, help="only print this many decks of the one victim named by --only")
    parser.add_argument("--ladder", default="", help="numbers of first decks that are tried, instead of the victim's own, such as 32,64")
    parser.add_argument("--next", type=int, default=NEXT, help="decks that must come out right after them; an audit names one")
    parser.add_argument("--keep", help="a folder for the decks of every run: those that are there already are not dealt again")
    parser.add_argument("--only-deal", action="store_true", help="with --keep: deal, and predict nothing")
    parser.add_argument("--each", action="store_true", help="print every run")
    parser.add_argument("--predictor", default='["deckproof", "predict", "--json", "--source", "{file}", "--models", "{model}", "--budget", "2m"]',
                        help="a JSON list: the command to start; {file} becomes the file of the known decks, {model} the models worth trying, all if there is none")
    parser.add_argument("--clock-predictor", default='["deckproof", "predict", "--json", "--source", "{file}", "--around", "{now}", '
                        '"--within", "30s", "--calls", "2100"]', help="the same for victims that are seeded by the clock")
    options = parser.parse_args()
    options.predictor, options.clock_predictor = json.loads(options.predictor), json.loads(options.clock_predictor)
    pages = Pages()
    with tempfile.TemporaryDirectory() as work:
        chosen = [victim for victim in victims(work) if options.only in victim.name]
        if options.deal:
            for command in chosen[0].build or []:
                subprocess.run(command, check=True)
            print("\n".join(deal(chosen[0], pages, random.SystemRandom().randrange(1000), options.deal)))
            return
        print("| victim | version | decks needed (min / median / max) | next ten right | seconds | |\n|---|---|---|---|---|---|")
        for victim in chosen:
            gone = missing(victim)
            if gone:
                print(f"| {victim.name} | skipped: {', '.join(gone)} not found | | | | |", flush=True)
            else:
                print(row(victim, options, pages, work), flush=True)


if __name__ == "__main__":
    main()
