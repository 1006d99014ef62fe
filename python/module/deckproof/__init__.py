"""Audits arrays of decks: the counts, certificates and refusals of the program `deckproof`.

A deck is 52 numbers from 0 to 51, the top card first. Numbers name cards as `4*rank + suit` (2c 2d 2h 2s 3c ...),
or with `numbering="suit-rank"` as `13*suit + rank` (2c 3c ... Ac 2d ...).
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import deckproof_native as _native
from .deckproof_native import Certificate, Plan, Refused, __version__

__all__ = [
    "Certificate", "Plan", "Refused", "Tally", "__version__",
    "audit", "fingerprint", "part_range", "plan", "predict", "rank", "rejudge", "verify",
]  # fmt: skip

Decks: TypeAlias = npt.NDArray[Any] | Iterable[Sequence[int]] | Iterable[npt.NDArray[Any]]
"""An array of n rows of 52 whole numbers, or single decks one after the other."""
Numbering: TypeAlias = Literal["rank-suit", "suit-rank"]

_CHUNK_DECKS = 1 << 16

_native.is_module(Path(_native.__file__).read_bytes())


def audit(
    decks: Decks,
    *,
    rules: str | None = None,
    players: int | None = None,
    statistics: Sequence[str] | None = None,
    numbering: Numbering = "rank-suit",
    threads: int | None = None,
) -> Certificate:
    """Counts and judges decks in the order in which they were dealt.

    The result is that of `deckproof audit --source raw:FILE` of a file that holds them, 52 bytes a deck. An array of
    `uint8` is read where it lies; other numbers are copied to bytes first. Python's lock is free while it counts.
    """
    return _native.audit(
        _bytes(decks),
        rules=rules,
        players=players,
        statistics=None if statistics is None else list(statistics),
        numbering=numbering,
        threads=threads,
    )


def plan(
    parts: Iterable[tuple[int, str]],
    *,
    rules: str | None = None,
    players: int | None = None,
    statistics: Sequence[str] | None = None,
    numbering: Numbering = "rank-suit",
) -> Plan:
    """The plan of partitions, each by the number of its decks and their SHA-256 (`fingerprint`), in order.

    It is that of `deckproof audit --no-repeat` of the same decks in one file, or in as many files as there are parts.
    """
    names = None if statistics is None else list(statistics)
    return _native.plan(list(parts), rules=rules, players=players, statistics=names, numbering=numbering)


def fingerprint(decks: Decks) -> tuple[int, str]:
    """The number of decks and the SHA-256 of their bytes, 52 a deck."""
    return _native.fingerprint(_bytes(decks))


def part_range(decks: int, part: int, parts: int) -> tuple[int, int]:
    """The declared decks of one part of so many: the first, and the first after them. Parts are whole segments of 65,536."""
    return _native.part_range(decks, part, parts)


class Tally:
    """The counts of one part of a plan. Tallies of all parts add up to the certificate of the whole."""

    def __init__(self, plan: Plan, part: int = 1, parts: int = 1) -> None:
        self._own = _native.Tally(plan, part, parts)

    def add(self, decks: Decks, *, first: int | None = None, threads: int | None = None) -> "Tally":
        """Counts the next decks of the part. `first` is the number of the first of them, from 0: what is lost or comes twice is refused."""
        self._own.add_bytes(_bytes(decks), first, threads)
        return self

    def merge(self, other: "Tally") -> "Tally":
        """Takes the parts of another tally over, which is empty then. What overlaps is refused."""
        self._own.merge(other._own)
        return self

    def finish(self) -> Certificate:
        """The certificate of the whole plan. What is missing is refused by its numbers."""
        return self._own.finish()

    def to_bytes(self) -> bytes:
        """A finished part as the file that `deckproof audit --shard` writes and `deckproof merge` reads."""
        return bytes(self._own.to_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> "Tally":
        """A finished part from its bytes; damaged ones are refused."""
        tally = cls.__new__(cls)
        tally._own = _native.Tally.from_bytes(data)
        return tally

    @property
    def decks(self) -> int:
        """How many decks were added."""
        return self._own.decks

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes that were added to this part, as `fingerprint` gives it."""
        return self._own.added_sha256


def rejudge(certificate: Certificate | str | Path) -> dict[str, Any]:
    """Judges a certificate (or the file of one) again from its integers: what `deckproof verify --json` prints.

    Raises `Refused` where it contradicts itself.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.from_json(Path(certificate).read_text(encoding="utf-8"))
    return _object(_native.rejudge_json(certificate))


def verify(bundle: bytes | str | Path, *, committed: str | None = None) -> dict[str, Any]:
    """Checks a bundle of a hand: what `deckproof verify --json` prints. `committed` is what you saved before the hand.

    Raises `Refused` where it contradicts itself or what was saved. `consistent` is not `accepted`: read the verdict.
    """
    data = bundle if isinstance(bundle, bytes) else Path(bundle).read_bytes()
    return _object(_native.verify_json(data, committed))


def rank(cards: str) -> dict[str, Any]:
    """Names five to seven cards, such as `As Ks 9h 9d 4c`: what `deckproof rank --json` prints."""
    return _object(_native.rank_json(cards))


def predict(
    decks: Decks, *, seconds: float = 600.0, next: int = 10, numbering: Numbering = "rank-suit"
) -> dict[str, Any]:
    """Looks for the generator behind decks for so many seconds: what `deckproof predict --json` prints."""
    return _object(_native.predict_json(_bytes(decks), seconds=seconds, next=next, numbering=numbering))


def _object(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


def _bytes(decks: Decks) -> npt.NDArray[np.uint8]:
    """Rows of 52 bytes, in one piece of memory; bytes that are so already are not copied."""
    if isinstance(decks, np.ndarray):
        return _rows(decks)
    if hasattr(decks, "to_numpy"):
        raise ValueError(f"found a {type(decks).__name__}, wanted an array: give what its to_numpy() returns, with rows of 52 cards")
    chunks = [_rows(np.asarray(some)) for some in _chunks(iter(decks))]
    return np.concatenate(chunks) if chunks else np.empty((0, 52), np.uint8)


def _chunks(decks: Iterator[Any]) -> Iterator[list[Any]]:
    while some := list(islice(decks, _CHUNK_DECKS)):
        for deck in some:
            _check_unmasked(deck)
        yield some


def _check_unmasked(decks: Any) -> None:
    # What lies below a mask is no deck, and an audit cannot see that records are left out.
    if isinstance(decks, np.ma.MaskedArray):
        raise ValueError("found a masked array, wanted one without a mask: give the decks that were dealt alone, and say how many you left out")


def _rows(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    _check_unmasked(array)
    if array.ndim != 2 or array.shape[1] != 52:
        raise ValueError(f"found an array of shape {array.shape}, wanted rows of 52 cards")
    if array.dtype.kind not in "iu":
        raise ValueError(f"found numbers of type {array.dtype}, wanted whole numbers from 0 to 51")
    if array.dtype != np.uint8:
        # A number that fits no byte must not become another card.
        if array.size and (array.min() < 0 or array.max() > 255):
            raise ValueError(f"found numbers from {array.min()} to {array.max()}, wanted 0 to 51")
        array = array.astype(np.uint8)
    return np.ascontiguousarray(array)
