"""Lakes of Parquet, and the certificate that theirs has to be."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from conftest import Bytes, result_of, run_in

import deckproof


def write_lake(folder: Path, decks: Bytes, files: Iterable[Iterable[int]]) -> str:
    """A file for each list of numbers, its rows in that order: a lake has none."""
    folder.mkdir()
    for name, numbers in enumerate(map(list, files)):
        rows = [decks[number].tobytes() for number in numbers]
        table = pa.table({"number": pa.array(numbers, pa.int64()), "deck": pa.array(rows, pa.binary(52))})
        pa.parquet.write_table(table, folder / f"{name}.parquet")
    return str(folder)


def one_machine(folder: Path, decks: Bytes, parts: int) -> str:
    """The result of the program, of the parts as files."""
    names = []
    for part in range(1, parts + 1):
        first, last = deckproof.part_range(len(decks), part, parts)
        decks[first:last].tofile(folder / f"{part}.raw")
        names += ["--source", f"raw:{part}.raw"]
    run_in(folder, "audit", *names, "--no-repeat", "--out", "one", "--quiet")
    return result_of((folder / "one/certificate.json").read_text())
