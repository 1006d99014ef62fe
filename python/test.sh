#!/usr/bin/env bash
# Builds the Python module, installs the wheel into a fresh environment, and tests it beside the program; the notebook, Dask and Spark where they can be had.
# Needs Python 3.11 or later and a package index. DECKPROOF names the program; without it target/release/deckproof is built. PROFILE
# is what the module is built by; without it that of pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")"

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "python/: skipped, Python 3.11 or later is not installed."
    exit 0
fi
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
python3 -m venv "$room/venv"
pip="$room/venv/bin/pip --quiet --disable-pip-version-check"
if ! $pip install 'maturin>=1.16,<2'; then
    echo "python/: skipped, maturin cannot be had."
    exit 0
fi
DECKPROOF=${DECKPROOF:-$PWD/../target/release/deckproof}
export DECKPROOF
[ -x "$DECKPROOF" ] || (cd .. && cargo build --locked --release)
"$room/venv/bin/maturin" build --quiet ${PROFILE:+--profile "$PROFILE"} --out "$room/wheel"
$pip install "$(echo "$room"/wheel/*.whl)[test]"

"$room/venv/bin/mypy" module tests/conftest.py tests/test_audit.py tests/test_tally.py
"$room/venv/bin/python" -m pytest --quiet -p no:cacheprovider tests/test_audit.py tests/test_tally.py

if ! $pip install "$(echo "$room"/wheel/*.whl)[notebook]"; then
    echo "python/examples/audit.ipynb: skipped, nbclient or ipykernel cannot be had."
else
    "$room/venv/bin/mypy" tests/test_notebook.py
    "$room/venv/bin/python" -m pytest --quiet -p no:cacheprovider tests/test_notebook.py
fi

if ! $pip install "$(echo "$room"/wheel/*.whl)[dask]"; then
    echo "python/tests/test_lake_parts.py, test_dask.py: skipped, Dask or PyArrow cannot be had."
else
    "$room/venv/bin/mypy" examples/dask_audit.py tests/lakes.py tests/test_lake_parts.py tests/test_dask.py
    "$room/venv/bin/python" -m pytest --quiet -p no:cacheprovider tests/test_lake_parts.py tests/test_dask.py
fi

if ! command -v java >/dev/null; then
    echo "python/tests/test_spark.py: skipped, Java is not installed (Debian: openjdk-17-jre-headless)."
elif ! $pip install "$(echo "$room"/wheel/*.whl)[spark]"; then
    echo "python/tests/test_spark.py: skipped, PySpark cannot be had."
else
    "$room/venv/bin/mypy" examples/spark_audit.py
    "$room/venv/bin/python" -m pytest --quiet -p no:cacheprovider tests/test_spark.py
fi
