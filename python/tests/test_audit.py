"""Certificates of arrays are the program's, byte for byte; what the program refuses is refused."""

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, Run, result_of, shuffled

import deckproof
from deckproof import deckproof_native


@pytest.mark.parametrize("numbering", ["rank-suit", "suit-rank"])
def test_a_certificate_is_the_programs(tmp_path: Path, run: Run, numbering: deckproof.Numbering) -> None:
    decks = shuffled(70_000)
    decks.tofile(tmp_path / "decks.raw")
    run("audit", "--source", "raw:decks.raw", "--numbering", numbering, "--out", "a", "--quiet")
    ours = deckproof.audit(decks, numbering=numbering)
    assert result_of(ours.to_json()) == result_of((tmp_path / "a/certificate.json").read_text())
    assert ours.decks == 70_000 and ours.verdict == "pass"


def test_threads_and_types_change_nothing(tmp_path: Path, run: Run) -> None:
    decks = shuffled(3_000)
    # One of each kind: counts of cells, sums, pairs, and what looks between decks.
    some = ["card-place", "rising-sequences", "collisions", "first-three", "parity"]

    def audited(decks: deckproof.Decks, threads: int | None = None) -> str:
        return deckproof.audit(decks, statistics=some, threads=threads).to_json()

    first = audited(decks, threads=1)
    assert audited(decks, threads=3) == first
    assert audited(decks.astype(np.int64)) == first
    assert audited(np.asfortranarray(decks)) == first
    assert audited([list(map(int, deck)) for deck in decks]) == first
    assert audited(deck for deck in decks) == first


def test_a_flawed_shuffler_fails_as_with_the_program(tmp_path: Path, run: Run) -> None:
    decks = shuffled(5_000)
    decks[:, [0, 1]] = np.sort(decks[:, [0, 1]], axis=1)
    decks.tofile(tmp_path / "decks.raw")
    run("audit", "--source", "raw:decks.raw", "--out", "a", "--quiet", status=1)
    ours = deckproof.audit(decks)
    assert ours.verdict == "fail"
    assert result_of(ours.to_json()) == result_of((tmp_path / "a/certificate.json").read_text())


def test_a_row_that_is_no_deck_is_proof_but_for_the_first(tmp_path: Path, run: Run) -> None:
    decks = shuffled(2_000)
    decks[1_500, 3] = decks[1_500, 4]
    decks.tofile(tmp_path / "decks.raw")
    run("audit", "--source", "raw:decks.raw", "--out", "a", "--quiet", status=1)
    ours = deckproof.audit(decks)
    assert ours.verdict == "fail"
    assert result_of(ours.to_json()) == result_of((tmp_path / "a/certificate.json").read_text())
    with pytest.raises(ValueError, match="deck 1: "):
        deckproof.audit(shuffled(2_000) + np.uint8(1))


def test_sorted_decks_are_refused_as_by_the_program() -> None:
    decks = shuffled(2_000)
    with pytest.raises(ValueError, match="the array: the records are sorted by their first card"):
        deckproof.audit(decks[np.argsort(decks[:, 0], kind="stable")])


@pytest.mark.parametrize(
    ("decks", "said"),
    [
        (np.zeros((3, 51), np.uint8), "wanted rows of 52"),
        (np.zeros((0, 52), np.uint8), "found no deck"),
        (np.zeros((3, 52)), "found numbers of type float64"),
        (np.full((3, 52), 256 + 7), "found numbers from 263 to 263"),
        (np.full((3, 52), -1), "found numbers from -1"),
        ([], "found no deck"),
    ],
)
def test_what_is_no_array_of_decks_is_refused(decks: deckproof.Decks, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        deckproof.audit(decks)


class Changing(np.ndarray[tuple[int, ...], np.dtype[np.uint8]]):
    """An array of 10,000 decks that somebody writes into when it has been read once, in three slices, and its hash is known."""

    slices = 0

    def __getitem__(self, key: Any) -> Any:
        Changing.slices += 1
        if Changing.slices == 4:
            # Two decks change places: each is still a deck.
            self[[8_000, 8_001]] = np.asarray(self)[[8_001, 8_000]]
        return super().__getitem__(key)


def test_decks_that_are_all_there_twice_convict_nobody() -> None:
    decks = np.repeat(shuffled(1_000), 2, axis=0)
    with pytest.raises(ValueError, match="found each deck of 2,000 records twice, one after the other, wanted"):
        deckproof.audit(decks)
    tally = deckproof.Tally(deckproof.plan([deckproof.fingerprint(decks)])).add(decks)
    with pytest.raises(ValueError, match="nothing in these records shows which"):
        tally.finish()
    # One deck that comes again is proof.
    assert deckproof.audit(decks[1:]).verdict == "fail"


def test_what_a_mask_hides_is_not_counted() -> None:
    decks = shuffled(1_000)
    masked = np.ma.masked_array(decks, mask=np.zeros_like(decks, bool))
    for given in (masked, iter(masked), [masked]):
        with pytest.raises(ValueError, match="found a masked array"):
            deckproof.audit(given)


@pytest.mark.parametrize("threads", [0, 1 << 16, 10**9])
def test_threads_are_as_many_as_the_program_takes(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads: found {threads}, wanted 1 to 65535"):
        deckproof.audit(shuffled(100), threads=threads)


def _verdict(seed: int) -> str:
    return deckproof.audit(shuffled(2_000), threads=seed).verdict


def test_a_process_that_was_forked_answers() -> None:
    # Its parent has counted, and threads do not outlive a fork.
    assert _verdict(2) == "pass"
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_verdict, [1, 2]).get(timeout=300) == ["pass", "pass"]


def test_an_array_that_changes_under_the_count_is_refused() -> None:
    decks = shuffled(10_000).view(Changing)
    with pytest.raises(ValueError, match="the array was changed while its decks were counted"):
        deckproof_native.audit(decks, statistics=["parity"])
    assert Changing.slices == 6
    assert deckproof_native.audit(decks, statistics=["parity"]).decks == 10_000


class Interrupting(np.ndarray[tuple[int, ...], np.dtype[np.uint8]]):
    """Decks that send the signal of Ctrl-C when the count, which reads them after their hash, has begun."""

    slices = 0
    begins = 0

    def __getitem__(self, key: Any) -> Any:
        Interrupting.slices += 1
        if Interrupting.slices == Interrupting.begins:
            os.kill(os.getpid(), signal.SIGINT)
        return super().__getitem__(key)


@pytest.fixture
def heeded() -> Iterator[None]:
    """The signal of Ctrl-C raises, also where a shell that started the tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
def test_ctrl_c_ends_a_count_where_it_is() -> None:
    decks = shuffled(400_000)
    chunks = -(-len(decks) // 4_096)
    # The audit reads all decks for their hash, and a second time to count them.
    Interrupting.slices, Interrupting.begins = 0, chunks + 2
    with pytest.raises(KeyboardInterrupt):
        deckproof_native.audit(decks.view(Interrupting), threads=1)
    assert chunks + 2 <= Interrupting.slices < 2 * chunks
    # A tally hashes and counts in one; what it holds then is not all of what was added, and it counts no more.
    tally = deckproof_native.Tally(deckproof.plan([deckproof.fingerprint(decks)]))
    Interrupting.slices, Interrupting.begins = 0, 20
    with pytest.raises(KeyboardInterrupt):
        tally.add_bytes(decks.view(Interrupting), threads=1)
    with pytest.raises(ValueError, match="its decks were not read to the end"):
        tally.finish()
    # Of a plain array no code of Python runs that would see the signal before the count is over.
    tally = deckproof_native.Tally(deckproof.plan([deckproof.fingerprint(decks)]))
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        tally.add_bytes(decks, threads=1)
    with pytest.raises(ValueError, match="its decks were not read to the end"):
        tally.finish()


def test_the_lock_is_free_while_it_counts() -> None:
    """Another thread gets on while the count runs: it would not count to ten if the lock were held."""
    decks, turns = shuffled(70_000), 0
    is_over = threading.Event()

    def audit() -> None:
        deckproof.audit(decks)
        is_over.set()

    audited = threading.Thread(target=audit)
    audited.start()
    while not is_over.wait(0.001):
        turns += 1
    audited.join()
    assert turns > 10


def test_a_certificate_is_judged_again_as_by_the_program(tmp_path: Path, run: Run) -> None:
    certificate = deckproof.audit(shuffled(2_000))
    file = tmp_path / "certificate.json"
    file.write_text(certificate.to_json(), encoding="utf-8")
    theirs = json.loads(run("verify", "certificate.json", "--json"))
    ours = deckproof.rejudge(file)
    # Which program judges, and what it could not check of the other one, differs; nothing else does.
    own, other = ours.pop("not_checked"), theirs.pop("not_checked")
    assert ours == theirs and ours["verdict"] == "consistent"
    assert set(other) - set(own) and not set(own) - set(other)
    forged = certificate.to_json().replace('"verdict":"pass"', '"verdict":"fail"', 1)
    assert forged != certificate.to_json()
    with pytest.raises(deckproof.Refused, match="verdict"):
        deckproof.rejudge(deckproof.Certificate.from_json(forged))


def test_bundles_and_hands_are_told_as_by_the_program(run: Run) -> None:
    sample = REPOSITORY / "fixtures/samples/seat-4.json"
    root = "413303c81198927865b8851ff654fc853866e009c8f1ef7d8ee2bb50d4816491"
    for options in ({}, {"committed": root}):
        typed = [f"--{name}={value}" for name, value in options.items()]
        assert deckproof.verify(sample, **options) == json.loads(run("verify", str(sample), "--json", *typed))
    assert deckproof.verify(sample, committed=root)["verdict"] == "accepted"
    # Of a table without a log, which numbers its hands from 1 every day, other digits may be of another day.
    with pytest.raises(ValueError, match="may be of another day") as other_day:
        deckproof.verify(sample, committed=root[::-1])
    assert not isinstance(other_day.value, deckproof.Refused)
    vectors = json.loads((REPOSITORY / "fixtures/protocol.json").read_text())["positive"]
    logged = next(own["bundle"] for own in vectors if own["name"] == "selective, seat 1: players, community card")
    with pytest.raises(deckproof.Refused, match="E_COMMITTED"):
        deckproof.verify(json.dumps(logged).encode(), committed=root[::-1])
    # Few digits that differ are a slip of the hand and contradict nothing.
    with pytest.raises(ValueError, match="4 of 64 digits differ") as slip:
        deckproof.verify(sample, committed=root.replace("4", "5"))
    assert not isinstance(slip.value, deckproof.Refused)
    with pytest.raises(deckproof.Refused):
        deckproof.verify(sample.read_bytes().replace(b"dealt", b"dealT"))
    for bundle in (sample.read_bytes()[:3_000], b"", b"hello"):
        with pytest.raises(ValueError, match="E_FORMAT") as cut:
            deckproof.verify(bundle)
        assert not isinstance(cut.value, deckproof.Refused)
    hand = "As Ks 9h 9d 4c 3c 2s"
    assert deckproof.rank(hand) == json.loads(run("rank", hand, "--json"))
    with pytest.raises(ValueError, match="a second time"):
        deckproof.rank("As As 9h 9d 4c")


def test_a_weak_generator_is_recovered_as_by_the_program(tmp_path: Path, run: Run) -> None:
    import random

    random.seed(9)
    decks = np.tile(np.arange(52, dtype=np.uint8), (300, 1))
    for deck in decks:
        order = list(map(int, deck))
        random.shuffle(order)
        deck[:] = order
    decks[:200].tofile(tmp_path / "decks.raw")
    theirs = json.loads(run("predict", "raw:decks.raw", "--json", "--next", "5", status=1))
    ours = deckproof.predict(decks[:200], next=5)
    assert ours["recovered"] == theirs["recovered"] and ours["outcome"] == "recovered"
    letters = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    nexts = [" ".join(letters[card] for card in deck) for deck in decks[200:205]]
    assert all(deck in json.dumps(ours) for deck in nexts)
