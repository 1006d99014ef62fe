"""A lake on two executors: the certificate of one machine, also where an executor is killed; refusals by number."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyspark
import pytest
import spark_audit
from conftest import REPOSITORY, Bytes, result_of, shuffled
from lakes import one_machine, write_lake
from pyspark.sql import DataFrame, SparkSession

import deckproof

# Two segments of 65,536 and the beginning of a third.
DECKS = 140_000
PARTS = 3


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Executors import the example, as `spark-submit --py-files` would have them.
    os.environ["PYTHONPATH"] = str(REPOSITORY / "python/examples")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("deckproof-test")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        # How long the driver asks an executor that was killed; 120 s otherwise.
        .config("spark.network.timeout", "40s")
        .config("spark.network.timeoutInterval", "10s")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def decks() -> Bytes:
    return shuffled(DECKS)


@pytest.fixture(scope="module")
def lake(spark: SparkSession, decks: Bytes, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    files = [range(1, DECKS, 2), range(0, DECKS, 2)]
    return spark.read.parquet(write_lake(tmp_path_factory.mktemp("lake") / "lake", decks, files))


@pytest.fixture(scope="module")
def wanted(decks: Bytes, tmp_path_factory: pytest.TempPathFactory) -> str:
    return one_machine(tmp_path_factory.mktemp("one"), decks, PARTS)


def test_a_lake_has_the_certificate_of_one_machine(lake: DataFrame, wanted: str) -> None:
    assert result_of(spark_audit.audit_lake(lake, PARTS).to_json()) == wanted


def executors(parent: int) -> list[int]:
    """Processes of executors that this session's Java machine started."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            command = (process / "cmdline").read_bytes()
            status = (process / "status").read_text()
        except OSError:
            continue
        if process.name.isdigit() and b"CoarseGrainedExecutorBackend" in command and f"PPid:\t{parent}\n" in status:
            found.append(int(process.name))
    return found


def test_an_executor_that_is_killed_changes_nothing(
    spark: SparkSession, lake: DataFrame, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An executor dies while it counts: what follows the plan, in a stage of one task for each part."""
    tracker, jvm = spark.sparkContext.statusTracker(), java_of(spark)
    is_planned, is_over = threading.Event(), threading.Event()
    killed: list[int] = []
    plan = deckproof.plan

    def planned(parts: Iterable[tuple[int, str]]) -> deckproof.Plan:
        is_planned.set()
        return plan(parts)

    def is_counting(stage: int) -> bool:
        info = tracker.getStageInfo(stage)
        return info is not None and info.numTasks == PARTS and info.numActiveTasks > 0

    def kill() -> None:
        is_planned.wait()
        while not is_over.is_set() and not killed:
            if any(is_counting(stage) for stage in tracker.getActiveStageIds()):
                time.sleep(0.5)
                victim = executors(jvm)[0]
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
            time.sleep(0.05)

    monkeypatch.setattr(deckproof, "plan", planned)
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = result_of(spark_audit.audit_lake(lake, PARTS).to_json())
    finally:
        is_planned.set()
        is_over.set()
        killer.join()
    assert killed, "no executor was killed while decks were counted"
    assert found == wanted


def java_of(spark: SparkSession) -> int:
    assert spark.sparkContext._jvm is not None
    return int(spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda numbers: numbers[:-1], "numbered 0 to 69999, wanted 0 to 69998: decks are lost or come twice"),
        (lambda numbers: [*numbers, numbers[5]], "found 70001 decks numbered 0 to 69999, wanted 0 to 70000"),
        (lambda numbers: [*numbers[:-1], numbers[5]], "decks 4 to 5 come twice|decks 69998 to 69999 are missing"),
    ],
)
def test_lost_and_doubled_decks_are_refused_by_number(
    spark: SparkSession, tmp_path: Path, change: object, said: str
) -> None:
    decks = shuffled(70_000)
    numbers = [69_999, *range(69_999)]
    lake = spark.read.parquet(write_lake(tmp_path / "lake", decks, [change(numbers)]))  # type: ignore[operator]
    with pytest.raises(Exception, match=said):
        spark_audit.audit_lake(lake, 2)
