#!/usr/bin/env bash
# Builds the wheel and uses it as a newcomer would: installed into a fresh virtual environment, in a folder far from the checkout.
# BUILD is a Python with the dev extra, PYTHON one to make the environment with.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath -s "${BUILD:-$root/.venv/bin/python}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cd "$root"
"$build" -m build --quiet --wheel --no-isolation --outdir "$scratch/dist"
"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$scratch"/dist/*.whl
cp -r examples "$scratch/examples"
mkdir "$scratch/examples/.git"  # a repository, so that command and pytest agree about the root
cd "$scratch/examples"
export PATH="$scratch/venv/bin:$PATH"
unset PYTHONPATH

nlpeval --version
nlpeval tasks
nlpeval explain rte.ties | grep --quiet 'how to mend it'
nlpeval run --report json:"$scratch/command.json"
nlpeval report html "$scratch/command.json" > "$scratch/report.html"
grep --quiet "Accuracy by coverage" "$scratch/report.html"
nlpeval validate
pytest --nlpeval --nlpeval-report json:"$scratch/pytest.json"
cmp "$scratch/command.json" "$scratch/pytest.json"
python - <<'PYTHON'
from pathlib import Path
import pytest_nlpeval
from pytest_nlpeval.files import schema_path

package = Path(pytest_nlpeval.__file__).parent
assert schema_path("rte.dtd").is_relative_to(package), schema_path("rte.dtd")
assert (package / "py.typed").is_file()
PYTHON
echo "the wheel works"
