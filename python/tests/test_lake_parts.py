"""Tallies of a lake that are lost, doubled or of other decks are refused; so are rows that are no decks."""

import lake_parts
import pyarrow as pa
import pytest
from conftest import shuffled

import deckproof


def test_tallies_that_are_lost_doubled_or_of_other_decks_are_refused() -> None:
    few = shuffled(140_000)
    ranges = [deckproof.part_range(len(few), part, 2) for part in (1, 2)]
    declared = {part: deckproof.fingerprint(few[first:last]) for part, (first, last) in enumerate(ranges, start=1)}
    plan = deckproof.plan(declared.values())
    counted = []
    for part, (first, last) in enumerate(ranges, start=1):
        tally = deckproof.Tally(plan, part, 2).add(few[first:last])
        counted.append((part, tally.sha256, tally.to_bytes()))
    assert lake_parts.judged(declared, counted).decks == 140_000
    with pytest.raises(ValueError, match="part 1 of 2 .* it comes twice"):
        lake_parts.judged(declared, [counted[0], *counted])
    with pytest.raises(ValueError, match="1 shards, wanted 2 shards"):
        lake_parts.judged(declared, counted[:1])
    with pytest.raises(ValueError, match="part 2 holds other decks"):
        lake_parts.judged({**declared, 2: (declared[2][0], declared[1][1])}, counted)


def test_rows_that_are_no_decks_are_refused() -> None:
    whole = bytes(range(52))
    assert lake_parts.decks_of(pa.array([whole] * 4)[1:3]).tolist() == [list(whole)] * 2
    # Two rows that are as long as two decks together.
    with pytest.raises(ValueError, match="widths must match"):
        lake_parts.decks_of(pa.array([whole[:-1], whole + b"3"]))
    with pytest.raises(ValueError, match="1 rows without a deck"):
        lake_parts.decks_of(pa.array([whole, None]))
