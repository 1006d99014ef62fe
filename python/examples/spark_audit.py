"""Audits a lake of Parquet on Spark: workers count partitions into tallies, the driver adds and judges.

    spark-submit spark_audit.py LAKE certificate.json [PARTS]

LAKE holds a column `number` (the place of a deck in the order of dealing, from 0, each once) and a column `deck` (52 bytes).
It is read twice: for the SHA-256 of every part, which the plan names, and for the counts. lake_parts.py says what a part is.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import lake_parts
import pyarrow as pa
from lake_parts import Piece, Range
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, count, length, lit, max, min

import deckproof

Batches = Iterator[pa.RecordBatch]


def audit_lake(lake: DataFrame, parts: int) -> deckproof.Certificate:
    """The certificate of all decks of a lake, counted in so many parts."""
    ranges = lake_parts.ranges_of(checked_size(lake), parts)
    cut = partitioned(lake, ranges)
    hashed = cut.mapInArrow(lambda batches: hash_part(ranges, batches), "part bigint, decks bigint, sha256 string").collect()
    declared = lake_parts.declared(ranges, [(part, decks, sha256) for part, decks, sha256 in hashed])
    text = deckproof.plan(declared.values()).to_toml()
    schema = "part bigint, sha256 string, tally binary"
    counted = cut.mapInArrow(lambda batches: count_part(text, ranges, batches), schema).collect()
    return lake_parts.judged(declared, [(part, sha256, bytes(tally)) for part, sha256, tally in counted])


def checked_size(lake: DataFrame) -> int:
    """How many decks, if their numbers can be 0, 1, 2, …; that each is there once is seen where they are counted."""
    [row] = lake.select(count("*"), min("number"), max("number"), min(length("deck")), max(length("deck"))).collect()
    decks, first, last, shortest, longest = row
    if decks == 0 or (shortest, longest) != (52, 52):
        raise ValueError(f"found {decks} decks of {shortest} to {longest} bytes, wanted at least one, each of 52")
    if (first, last) != (0, decks - 1):
        raise ValueError(f"found {decks} decks numbered {first} to {last}, wanted 0 to {decks - 1}: decks are lost or come twice")
    return int(decks)


def partitioned(lake: DataFrame, ranges: list[Range]) -> DataFrame:
    """One partition for each range, its decks in the order of their numbers."""
    starts = [first for first, _ in ranges]
    part = lit(1)
    for start in starts[1:]:
        part = part + (col("number") >= start).cast("int")
    keyed = lake.select("number", "deck", part.alias("part"))
    return keyed.repartition(len(ranges), "part").sortWithinPartitions("part", "number")


def rows_of_parts(batches: Batches) -> Iterator[Piece]:
    """Pieces of a partition. Spark may put several parts into one."""
    for batch in batches:
        part, number = (batch.column(name).to_numpy() for name in ("part", "number"))
        yield from lake_parts.pieces(part, number, lake_parts.decks_of(batch.column("deck")))


def hash_part(ranges: list[Range], batches: Batches) -> Batches:
    for part, decks, sha256 in lake_parts.hashed(ranges, rows_of_parts(batches)):
        yield pa.RecordBatch.from_pylist([{"part": part, "decks": decks, "sha256": sha256}])


def count_part(plan: str, ranges: list[Range], batches: Batches) -> Batches:
    for part, sha256, tally in lake_parts.counted(plan, ranges, rows_of_parts(batches)):
        yield pa.RecordBatch.from_pylist([{"part": part, "sha256": sha256, "tally": tally}])


def main() -> None:
    lake, certificate = sys.argv[1:3]
    spark = SparkSession.builder.appName("deckproof").getOrCreate()
    # Workers have no folder of this file.
    spark.sparkContext.addPyFile(lake_parts.__file__)
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else spark.sparkContext.defaultParallelism
    found = audit_lake(spark.read.parquet(lake), parts)
    Path(certificate).write_text(found.to_json(), encoding="utf-8")
    print(found.sentence)


if __name__ == "__main__":
    main()
