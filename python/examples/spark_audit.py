"""Audits a lake of Parquet on Spark: workers count partitions into tallies, the driver adds and judges.

    spark-submit spark_audit.py LAKE certificate.json [PARTS]

LAKE holds a column `number` (the place of a deck in the order of dealing, from 0, each once) and a column `deck` (52 bytes).
It is read twice: for the SHA-256 of every part, which the plan names, and for the counts. Parts are declared ranges of decks, whole segments
of 65,536, so that the certificate is that of `deckproof audit --no-repeat` of the parts as files on one machine, whatever Spark does on its way:
a task that is lost is counted again, and what is lost, doubled or altered is refused by its numbers.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, count, length, lit, max, min

import deckproof

Batches = Iterator[pa.RecordBatch]
Piece = tuple[int, int, npt.NDArray[np.uint8]]


def audit_lake(lake: DataFrame, parts: int) -> deckproof.Certificate:
    """The certificate of all decks of a lake, counted in so many parts."""
    decks = checked_size(lake)
    ranges = [deckproof.part_range(decks, part, parts) for part in range(1, parts + 1)]
    cut = partitioned(lake, ranges)
    hashed = cut.mapInArrow(lambda batches: hash_part(ranges, batches), "part bigint, decks bigint, sha256 string").collect()
    declared = {part: (decks, sha256) for part, decks, sha256 in hashed}
    missing = [f"part {part} of {parts}" for part in range(1, parts + 1) if part not in declared]
    if missing or len(hashed) != len(declared):
        raise ValueError(f"found {len(hashed)} parts, wanted {parts}, each once; missing: {', '.join(missing) or 'none'}")
    plan = deckproof.plan([declared[part] for part in sorted(declared)])
    text = plan.to_toml()
    schema = "part bigint, sha256 string, tally binary"
    counted = cut.mapInArrow(lambda batches: count_part(text, ranges, batches), schema).collect()
    return judged(declared, [(part, sha256, bytes(tally)) for part, sha256, tally in counted])


def judged(declared: dict[int, tuple[int, str]], counted: list[tuple[int, str, bytes]]) -> deckproof.Certificate:
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


def checked_size(lake: DataFrame) -> int:
    """How many decks, if their numbers can be 0, 1, 2, …; that each is there once is seen where they are counted."""
    [row] = lake.select(count("*"), min("number"), max("number"), min(length("deck")), max(length("deck"))).collect()
    decks, first, last, shortest, longest = row
    if decks == 0 or (shortest, longest) != (52, 52):
        raise ValueError(f"found {decks} decks of {shortest} to {longest} bytes, wanted at least one, each of 52")
    if (first, last) != (0, decks - 1):
        raise ValueError(f"found {decks} decks numbered {first} to {last}, wanted 0 to {decks - 1}: decks are lost or come twice")
    return int(decks)


def partitioned(lake: DataFrame, ranges: list[tuple[int, int]]) -> DataFrame:
    """One partition for each range, its decks in the order of their numbers."""
    starts = [first for first, _ in ranges]
    part = lit(1)
    for start in starts[1:]:
        part = part + (col("number") >= start).cast("int")
    keyed = lake.select("number", "deck", part.alias("part"))
    return keyed.repartition(len(ranges), "part").sortWithinPartitions("part", "number")


def rows_of_parts(batches: Batches) -> Iterator[Piece]:
    """Pieces of a partition: part, number of the first deck, decks. Spark may put several parts into one partition."""
    for batch in batches:
        part, number = (batch.column(name).to_numpy() for name in ("part", "number"))
        data = b"".join(batch.column("deck").to_pylist())
        decks = np.frombuffer(data, np.uint8).reshape(-1, 52)
        # A gap, a repeat or another part begins a piece of its own; the tally says which decks are missing or come twice.
        cuts = np.flatnonzero((np.diff(number) != 1) | (np.diff(part) != 0)) + 1
        for first, last in zip([0, *cuts], [*cuts, len(number)], strict=True):
            if last > first:
                yield int(part[first]), int(number[first]), decks[first:last]


def hash_part(ranges: list[tuple[int, int]], batches: Batches) -> Batches:
    import hashlib

    found: dict[int, tuple[int, "hashlib._Hash"]] = {}
    for part, number, decks in rows_of_parts(batches):
        held, hash = found.setdefault(part, (0, hashlib.sha256()))
        check_next(part, ranges[part - 1][0] + held, number)
        hash.update(decks.tobytes())
        found[part] = (held + len(decks), hash)
    for part, (held, hash) in found.items():
        first, last = ranges[part - 1]
        check_next(part, first + held, last)
        yield pa.RecordBatch.from_pylist([{"part": part, "decks": held, "sha256": hash.hexdigest()}])


def check_next(part: int, wanted: int, found: int) -> None:
    if found != wanted:
        fault = f"decks {wanted} to {found} are missing" if found > wanted else f"decks {found} to {wanted} come twice"
        raise ValueError(f"part {part}: found deck {found}, wanted deck {wanted}: {fault}")


def count_part(plan: str, ranges: list[tuple[int, int]], batches: Batches) -> Batches:
    tallies: dict[int, deckproof.Tally] = {}
    for part, number, decks in rows_of_parts(batches):
        if part not in tallies:
            tallies[part] = deckproof.Tally(deckproof.Plan.from_toml(plan), part, len(ranges))
        # One thread: Spark gives a task one core.
        tallies[part].add(decks, first=number, threads=1)
    for part, tally in tallies.items():
        row = {"part": part, "sha256": tally.sha256, "tally": tally.to_bytes()}
        yield pa.RecordBatch.from_pylist([row])


def main() -> None:
    lake, certificate = sys.argv[1:3]
    spark = SparkSession.builder.appName("deckproof").getOrCreate()
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else spark.sparkContext.defaultParallelism
    found = audit_lake(spark.read.parquet(lake), parts)
    Path(certificate).write_text(found.to_json(), encoding="utf-8")
    print(found.sentence)


if __name__ == "__main__":
    main()
