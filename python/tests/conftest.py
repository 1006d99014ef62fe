"""The program beside which the module is tested, and arrays of decks."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

PROGRAM = Path(os.environ["DECKPROOF"])
REPOSITORY = Path(__file__).parent.parent.parent
sys.path.insert(0, str(REPOSITORY / "python/examples"))

Bytes = npt.NDArray[np.uint8]
Run = Callable[..., str]


def shuffled(decks: int, seed: int = 7) -> Bytes:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (decks, 1)), axis=1)


def run_in(folder: Path, *arguments: str, status: int = 0) -> str:
    """Runs the program in a folder; what it prints. Its exit status is that of the verdict."""
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the program in a folder of this test."""
    return partial(run_in, tmp_path)


def result_of(text: str) -> str:
    """A certificate without the tool that made it: all that two runs have in common."""
    return text[text.index('"result"') :]
