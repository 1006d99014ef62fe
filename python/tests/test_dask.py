"""A lake on two worker processes: the certificate of one machine, also where a worker is killed; refusals by number."""

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import dask_audit
import pytest
from conftest import Bytes, result_of, shuffled
from distributed import Client, LocalCluster
from lakes import one_machine, write_lake

import deckproof

# Two segments of 65,536 and the beginning of a third.
DECKS = 140_000
PARTS = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def decks() -> Bytes:
    return shuffled(DECKS)


@pytest.fixture(scope="module")
def lake(decks: Bytes, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its rows are not in the order of dealing, and no file is a part."""
    files = [range(100_001, DECKS, 2), range(99_999, -1, -1), range(100_000, DECKS, 2)]
    return write_lake(tmp_path_factory.mktemp("lake") / "lake", decks, files)


@pytest.fixture(scope="module")
def wanted(decks: Bytes, tmp_path_factory: pytest.TempPathFactory) -> str:
    return one_machine(tmp_path_factory.mktemp("one"), decks, PARTS)


def test_a_lake_has_the_certificate_of_one_machine(client: Client, lake: str, wanted: str) -> None:
    assert result_of(dask_audit.audit_lake(client, lake, PARTS).to_json()) == wanted


def counting(client: Client) -> list[str]:
    """Addresses of workers that are in the middle of a count."""
    stacks = client.call_stack()
    return [worker for worker, tasks in stacks.items() if any("in add" in str(frames) for frames in tasks.values())]


def test_a_worker_that_is_killed_changes_nothing(cluster: LocalCluster, client: Client, lake: str, wanted: str) -> None:
    is_over = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while not is_over.is_set() and not killed:
            for address in counting(client)[:1]:
                [victim] = [nanny.pid for nanny in cluster.workers.values() if nanny.worker_address == address]
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = result_of(dask_audit.audit_lake(client, lake, PARTS).to_json())
    finally:
        is_over.set()
        killer.join()
    assert killed, "no worker was killed while decks were counted"
    assert cluster.scheduler is not None
    lost = [task for task, start, finish, *_ in cluster.scheduler.transition_log if (start, finish) == ("processing", "released")]
    assert any(str(task).startswith("count_part") for task in lost)
    assert found == wanted


@pytest.mark.parametrize(
    ("files", "said"),
    [
        # A file is lost, comes twice, begins too early; a deck is lost, comes twice; the first file is lost.
        ([range(65_536), range(131_072, 140_000)], "decks 65536 to 131072 are missing"),
        ([range(65_536), range(65_536, 131_072), range(65_536, 131_072)], "decks 65536 to 65537 come twice"),
        ([range(65_536), range(65_000, 140_000)], "decks 65000 to 65001 come twice"),
        ([range(100_000), range(100_001, 140_000)], "part 2: .* decks 100000 to 100001 are missing"),
        ([[7], range(140_000)], "part 1: .* decks 7 to 8 come twice"),
        ([range(65_536, 140_000)], "decks numbered 65536 to 139999, wanted .* the first of them 0"),
    ],
)
def test_lost_doubled_and_overlapping_partitions_are_refused_by_number(
    client: Client, tmp_path: Path, files: list[Iterable[int]], said: str
) -> None:
    lake = write_lake(tmp_path / "lake", shuffled(140_000), files)
    with pytest.raises(ValueError, match=said):
        dask_audit.audit_lake(client, lake, 2)


def test_a_file_that_changes_between_hash_and_count_is_refused(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = write_lake(tmp_path / "lake", shuffled(70_000), [range(70_000)])
    plan = deckproof.plan

    def planned(parts: Iterable[tuple[int, str]]) -> deckproof.Plan:
        Path(lake, "0.parquet").unlink()
        Path(lake).rmdir()
        write_lake(Path(lake), shuffled(70_000, seed=8), [range(70_000)])
        return plan(parts)

    monkeypatch.setattr(deckproof, "plan", planned)
    with pytest.raises(ValueError, match="part . holds other decks than when its SHA-256 was taken"):
        dask_audit.audit_lake(client, lake, 2)
