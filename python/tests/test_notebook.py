"""The notebook runs from the top, what it asserts holds, and it stores no output."""

import os
from pathlib import Path

import mypy.api
import nbformat
import pytest
from conftest import REPOSITORY
from nbclient import NotebookClient


@pytest.fixture
def notebook() -> nbformat.NotebookNode:
    found: nbformat.NotebookNode = nbformat.read(REPOSITORY / "python/examples/audit.ipynb", as_version=4)
    nbformat.validate(found)
    return found


def test_it_runs(notebook: nbformat.NotebookNode, tmp_path: Path) -> None:
    assert not any(cell.outputs or cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_its_code_has_types(notebook: nbformat.NotebookNode, tmp_path: Path) -> None:
    file = tmp_path / "audit.py"
    file.write_text("\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code"), encoding="utf-8")
    said, errors, status = mypy.api.run(["--config-file", str(REPOSITORY / "python/pyproject.toml"), f"--cache-dir={os.devnull}", str(file)])
    assert status == 0, said + errors
