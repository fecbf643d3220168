#!/usr/bin/env bash
# Fails unless the tag in GITHUB_REF_NAME is v and the version of the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(python -I -c '
import pathlib, re
text = pathlib.Path("pytest_nlpeval/__init__.py").read_text()
print(re.search(r"(?m)^__version__ = \"([^\"]+)\"$", text)[1])
')
if [[ $GITHUB_REF_NAME != "v$version" ]]; then
  echo "The tag is not v$version, the version of the package." >&2
  exit 1
fi
