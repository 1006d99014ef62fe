"""Audits a lake of Parquet on Dask: workers count parts into tallies, the driver adds and judges.

    python dask_audit.py LAKE certificate.json [PARTS [SCHEDULER]]

LAKE is a folder or an address that every worker reads. It holds a column `number` (the place of a deck in the order of dealing, from 0,
each once) and a column `deck` (52 bytes). A part is read twice: for its SHA-256, which the plan names, and for its count. lake_parts.py
says what a part is. Without SCHEDULER all cores of this machine work, each as a process.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import lake_parts
import numpy as np
import pyarrow.dataset
from distributed import Client, as_completed
from lake_parts import Counted, Hashed, Piece, Range

import deckproof


def audit_lake(client: Client, lake: str, parts: int) -> deckproof.Certificate:
    """The certificate of all decks of a lake, counted in so many parts."""
    ranges = lake_parts.ranges_of(client.submit(size, lake, pure=False).result(), parts)
    numbers = range(1, parts + 1)
    hashed = client.gather(client.map(hash_part, numbers, lake=lake, ranges=ranges, pure=False))
    declared = lake_parts.declared(ranges, [found for some in hashed for found in some])
    text = deckproof.plan(declared.values()).to_toml()
    counted = client.map(count_part, numbers, plan=text, lake=lake, ranges=ranges, pure=False)
    return lake_parts.judged(declared, (tally for _, some in as_completed(counted, with_results=True) for tally in some))


def size(lake: str) -> int:
    """How many decks, if their numbers are 0, 1, 2, …; that each is there once is seen where they are hashed."""
    batches = pyarrow.dataset.dataset(lake, format="parquet").to_batches(columns=["number"])
    held = [(number.min(), number.max()) for number in (batch.column("number").to_numpy() for batch in batches) if len(number)]
    first, last = min((low for low, _ in held), default=0), max((high for _, high in held), default=-1)
    if first != 0 or last < 0:
        raise ValueError(f"found decks numbered {first} to {last}, wanted at least one, the first of them 0")
    return int(last) + 1


def rows_of_part(lake: str, ranges: list[Range], part: int) -> Iterator[Piece]:
    """The decks of a part in the order of their numbers. Of files that lie in that order only those of the part are read."""
    first, last = ranges[part - 1]
    field = pyarrow.dataset.field("number")
    rows = pyarrow.dataset.dataset(lake, format="parquet").to_batches(
        columns=["number", "deck"], filter=(field >= first) & (field < last)
    )
    read = [(batch.column("number").to_numpy(), lake_parts.decks_of(batch.column("deck"))) for batch in rows]
    if read:
        number, decks = (np.concatenate(some) for some in zip(*read, strict=True))
        order = np.argsort(number, kind="stable")
        yield from lake_parts.pieces(np.full(len(order), part), number[order], decks[order])


def hash_part(part: int, lake: str, ranges: list[Range]) -> list[Hashed]:
    return list(lake_parts.hashed(ranges, rows_of_part(lake, ranges, part)))


def count_part(part: int, plan: str, lake: str, ranges: list[Range]) -> list[Counted]:
    return list(lake_parts.counted(plan, ranges, rows_of_part(lake, ranges, part)))


def main() -> None:
    lake, certificate = sys.argv[1:3]
    client = Client(sys.argv[4]) if len(sys.argv) > 4 else Client(threads_per_worker=1, dashboard_address="127.0.0.1:0")
    with client:
        # Workers have no folder of this file.
        client.upload_file(lake_parts.__file__)
        parts = int(sys.argv[3]) if len(sys.argv) > 3 else sum(client.nthreads().values())
        found = audit_lake(client, lake, parts)
    Path(certificate).write_text(found.to_json(), encoding="utf-8")
    print(found.sentence)


if __name__ == "__main__":
    main()
