"""Parts of a plan add up to the certificate of one machine; what is lost, doubled or altered is refused by its numbers."""

from pathlib import Path

import numpy as np
import pytest
from conftest import Bytes, Run, result_of, shuffled

import deckproof

# Two segments of 65,536 and the beginning of a third.
DECKS = 140_000
PARTS = 3


def split(decks: Bytes) -> list[tuple[int, Bytes]]:
    ranges = [deckproof.part_range(len(decks), part, PARTS) for part in range(1, PARTS + 1)]
    return [(first, decks[first:last]) for first, last in ranges]


@pytest.fixture(scope="module")
def decks() -> Bytes:
    return shuffled(DECKS)


@pytest.fixture(scope="module")
def plan(decks: Bytes) -> deckproof.Plan:
    return deckproof.plan([deckproof.fingerprint(part) for _, part in split(decks)])


@pytest.fixture(scope="module")
def counted(decks: Bytes, plan: deckproof.Plan) -> list[bytes]:
    parts = enumerate(split(decks), start=1)
    return [deckproof.Tally(plan, part, PARTS).add(own, first=first).to_bytes() for part, (first, own) in parts]


def test_parts_tile_the_plan_in_whole_segments(plan: deckproof.Plan) -> None:
    ranges = [plan.range(part, PARTS) for part in range(1, PARTS + 1)]
    assert ranges[0][0] == 0 and ranges[-1][1] == DECKS
    assert all(before[1] == after[0] and after[0] % 65_536 == 0 for before, after in zip(ranges, ranges[1:], strict=False))


def test_the_sum_is_the_certificate_of_one_machine(
    tmp_path: Path, run: Run, decks: Bytes, plan: deckproof.Plan, counted: list[bytes]
) -> None:
    names = []
    for number, (_, part) in enumerate(split(decks), start=1):
        part.tofile(tmp_path / f"part-{number}.raw")
        names += ["--source", f"raw:part-{number}.raw"]
    run("audit", *names, "--no-repeat", "--out", "one", "--quiet")
    wanted = result_of((tmp_path / "one/certificate.json").read_text())
    total = deckproof.Tally.from_bytes(counted[2])
    total.merge(deckproof.Tally.from_bytes(counted[0])).merge(deckproof.Tally.from_bytes(counted[1]))
    assert result_of(total.finish().to_json()) == wanted
    # The files are those of `audit --shard`, and `merge` reads them.
    for number, tally in enumerate(counted, start=1):
        (tmp_path / f"shard-{number}.tally").write_bytes(tally)
        run("audit", *names, "--shard", f"{number}/{PARTS}", "--out", "shards", "--quiet")
    theirs = sorted((tmp_path / "shards").glob("shard-*.tally"))
    assert [file.read_bytes() for file in theirs] == counted
    run("merge", *(f"shard-{number}.tally" for number in (1, 2, 3)), "--out", "merged", "--quiet")
    assert result_of((tmp_path / "merged/certificate.json").read_text()) == wanted


def test_pieces_of_any_size_count_the_same(decks: Bytes, plan: deckproof.Plan, counted: list[bytes]) -> None:
    first, part = split(decks)[1]
    tally = deckproof.Tally(plan, 2, PARTS)
    place = 0
    for size in (1, 63, 60_000, 5):
        tally.add(part[place : place + size], first=first + place)
        place += size
    tally.add(part[place:])
    assert tally.to_bytes() == counted[1]
    assert tally.sha256 == deckproof.fingerprint(part)[1] and tally.decks == len(part)
    again = deckproof.Plan.from_toml(plan.to_toml())
    assert again.sha256 == plan.sha256 and again.decks == DECKS


def test_lost_doubled_and_overlapping_decks_are_refused_by_number(
    decks: Bytes, plan: deckproof.Plan, counted: list[bytes]
) -> None:
    first, part = split(decks)[1]
    tally = deckproof.Tally(plan, 2, PARTS).add(part[:100], first=first)
    with pytest.raises(ValueError, match=f"found deck {first + 101}, wanted deck {first + 100}: .* are missing"):
        tally.add(part[101:200], first=first + 101)
    with pytest.raises(ValueError, match=f"found deck {first + 99}, wanted deck {first + 100}: .* come twice"):
        tally.add(part[99:200], first=first + 99)
    with pytest.raises(ValueError, match=f"part 2 of 3 .* found 100 decks, wanted {len(part)}: .* are missing"):
        tally.to_bytes()
    with pytest.raises(ValueError, match="wanted at most"):
        tally.add(decks)
    total = deckproof.Tally.from_bytes(counted[0])
    with pytest.raises(ValueError, match="part 1 of 3 .* it comes twice"):
        total.merge(deckproof.Tally.from_bytes(counted[0]))
    with pytest.raises(ValueError, match="shard 3/3, wanted shard 2/3"):
        total.merge(deckproof.Tally.from_bytes(counted[2])).finish()
    halves = deckproof.Tally(plan, 1, 2).add(decks[: plan.range(1, 2)[1]])
    with pytest.raises(ValueError, match="they overlap"):
        deckproof.Tally.from_bytes(counted[0]).merge(halves)
    other = deckproof.Tally(deckproof.plan([deckproof.fingerprint(decks[:10])])).add(decks[:10])
    with pytest.raises(ValueError, match="wanted one of plan"):
        total.merge(other)


def test_other_decks_than_those_of_the_plan_are_refused(decks: Bytes, plan: deckproof.Plan) -> None:
    first, part = split(decks)[1]
    other = part.copy()
    other[[7, 8]] = other[[8, 7]]
    refused = f"decks {first} to {first + len(part)}: found other decks than those of the plan"
    with pytest.raises(ValueError, match=refused):
        deckproof.Tally(plan, 2, PARTS).add(other)
    # The parts of a plan are compared one by one, however it is counted.
    whole = deckproof.Tally(plan).add(decks[: first + 1]).add(part[1:-1])
    with pytest.raises(ValueError, match=refused):
        whole.add(part[:1])
    few = decks[:2_000]
    single = deckproof.plan([deckproof.fingerprint(few)])
    for own in (single, deckproof.Plan.from_toml(single.to_toml())):
        assert deckproof.Tally(own).add(few).finish().verdict == "pass"
        counting = deckproof.Tally(own)
        # Nothing is counted behind decks that were refused.
        for again in (few[::-1], few[:0]):
            with pytest.raises(ValueError, match="decks 0 to 2000: found other decks"):
                counting.add(again)
        with pytest.raises(ValueError, match="found other decks"):
            counting.finish()


def test_altered_counts_and_rows_that_are_no_decks_are_refused(
    decks: Bytes, plan: deckproof.Plan, counted: list[bytes]
) -> None:
    altered = bytearray(counted[0])
    altered[-500] ^= 1
    with pytest.raises(ValueError, match="checksum"):
        deckproof.Tally.from_bytes(bytes(altered))
    with pytest.raises(ValueError, match="no checkpoint or shard"):
        deckproof.Tally.from_bytes(b"no tally")
    part = split(decks)[0][1].copy()
    part[5, 0] = part[5, 1]
    with pytest.raises(ValueError, match="deck 6: .* A part has no verdict"):
        deckproof.Tally(deckproof.plan([deckproof.fingerprint(part)])).add(part)
    with pytest.raises(ValueError, match="found part 4 of 3"):
        deckproof.Tally(plan, 4, PARTS)
    assert np.array_equal(decks, shuffled(DECKS))
