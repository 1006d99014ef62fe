"""What audits of a lake share, on Spark and on Dask: workers hash and count the parts, the driver adds and judges the tallies.

Parts are declared ranges of decks, whole segments of 65,536, so that the certificate is that of `deckproof audit --no-repeat` of the parts
as files on one machine, whatever happens on the way: a task that is lost is counted again, and what is lost, doubled or altered is refused
by its numbers.
"""

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import deckproof

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Range = tuple[int, int]
# The part, the number of the first deck, decks that follow one another.
Piece = tuple[int, int, Bytes]
# The part, its decks, their SHA-256.
Hashed = tuple[int, int, str]
# The part, the SHA-256 of what was counted, the tally.
Counted = tuple[int, str, bytes]


def ranges_of(decks: int, parts: int) -> list[Range]:
    return [deckproof.part_range(decks, part, parts) for part in range(1, parts + 1)]


def decks_of(column: pa.Array) -> Bytes:
    """The bytes of a column, each row a deck. Those of another length are refused by Arrow."""
    fixed = column.cast(pa.binary(52))
    if fixed.null_count:
        raise ValueError(f"found {fixed.null_count} rows without a deck")
    rows = np.frombuffer(fixed.buffers()[1], np.uint8, count=52 * (fixed.offset + len(fixed)))
    return rows.reshape(-1, 52)[fixed.offset :]


def pieces(part: Numbers, number: Numbers, decks: Bytes) -> Iterator[Piece]:
    """Cuts sorted rows where a deck does not follow the one before it, or another part begins."""
    # The count says which decks are missing or come twice.
    cuts = np.flatnonzero((np.diff(number) != 1) | (np.diff(part) != 0)) + 1
    for first, last in zip([0, *cuts], [*cuts, len(number)], strict=True):
        if last > first:
            yield int(part[first]), int(number[first]), decks[first:last]


def hashed(ranges: list[Range], rows: Iterable[Piece]) -> Iterator[Hashed]:
    """The SHA-256 of every part that rows hold, each whole."""
    found: dict[int, tuple[int, "hashlib._Hash"]] = {}
    for part, number, decks in rows:
        held, hash = found.setdefault(part, (0, hashlib.sha256()))
        check_next(part, ranges[part - 1][0] + held, number)
        hash.update(decks.tobytes())
        found[part] = (held + len(decks), hash)
    for part, (held, hash) in found.items():
        first, last = ranges[part - 1]
        check_next(part, first + held, last)
        yield part, held, hash.hexdigest()


def check_next(part: int, wanted: int, found: int) -> None:
    if found != wanted:
        fault = f"decks {wanted} to {found} are missing" if found > wanted else f"decks {found} to {wanted} come twice"
        raise ValueError(f"part {part}: found deck {found}, wanted deck {wanted}: {fault}")


def counted(plan: str, ranges: list[Range], rows: Iterable[Piece]) -> Iterator[Counted]:
    """The tally of every part that rows hold."""
    tallies: dict[int, deckproof.Tally] = {}
    for part, number, decks in rows:
        if part not in tallies:
            tallies[part] = deckproof.Tally(deckproof.Plan.from_toml(plan), part, len(ranges))
        # One thread: a task has one core.
        tallies[part].add(decks, first=number, threads=1)
    for part, tally in tallies.items():
        yield part, tally.sha256, tally.to_bytes()


Declared = dict[int, tuple[int, str]]


def declared(ranges: list[Range], found: list[Hashed]) -> Declared:
    """Decks and SHA-256 of every part, each there once."""
    parts = {part: (decks, sha256) for part, decks, sha256 in found}
    missing = [f"part {part} (decks {first} to {last})" for part, (first, last) in enumerate(ranges, start=1) if part not in parts]
    if missing or len(found) != len(parts):
        raise ValueError(f"found {len(found)} parts, wanted {len(ranges)}, each once; missing: {', '.join(missing) or 'none'}")
    return dict(sorted(parts.items()))


def judged(declared: Declared, counted: Iterable[Counted]) -> deckproof.Certificate:
    """Adds the tallies and judges them; those of other bytes than were declared, doubled or missing ones are refused."""
    total: deckproof.Tally | None = None
    for part, sha256, tally in counted:
        if declared[part][1] != sha256:
            raise ValueError(f"part {part} holds other decks than when its SHA-256 was taken")
        own = deckproof.Tally.from_bytes(tally)
        total = total.merge(own) if total else own
    if total is None:
        raise ValueError("found no tally, wanted one of every part")
    return total.finish()
