#!/usr/bin/env bash
# Checks the inputs and installs this checkout of pytest-nlpeval. Python runs isolated (-I): nothing in the repository is imported.
set -euo pipefail
action=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
source "$action/common.sh"
# What the comment has no input for is as by default.
: "${NLPEVAL_MODE=gate}" "${NLPEVAL_STRICT_CONFIG=false}" "${NLPEVAL_ALLOW_OUTSIDE=false}" "${NLPEVAL_PRODUCE=false}" "${NLPEVAL_JOBS=}"

case "$NLPEVAL_MODE" in
  gate | inform) ;;
  *) fail 'The input mode must be gate or inform.' ;;
esac
case "$NLPEVAL_STRICT_CONFIG" in
  true | false) ;;
  *) fail 'The input strict-config must be true or false.' ;;
esac
case "$NLPEVAL_ALLOW_OUTSIDE" in
  true | false) ;;
  *) fail 'The input allow-outside must be true or false.' ;;
esac
case "$NLPEVAL_PRODUCE" in
  true | false) ;;
  *) fail 'The input produce must be true or false.' ;;
esac
case "$NLPEVAL_JOBS" in
  '' | auto) ;;
  0* | *[!0-9]*) fail 'The input jobs must be a number of processes, from 1, or auto.' ;;
esac

usable() {
  "$1" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

python=
case "$NLPEVAL_PYTHON" in
  '' | current) set -- python python3 ;;
  *) set -- "$NLPEVAL_PYTHON" ;;
esac
for candidate in "$@"; do
  if usable "$candidate"; then
    python=$(command -v "$candidate")
    break
  fi
done
if [[ -z $python ]]; then
  fail 'No Python 3.11 or later. Put actions/setup-python before this action, or name one in the input python.'
fi

work=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/nlpeval.XXXXXXXX")
if [[ $NLPEVAL_PYTHON != current ]]; then
  "$python" -I -m venv "$work/venv" || fail 'No virtual environment could be made: the Python has no module venv.'
  python=$work/venv/bin/python
  if [[ ! -x $python ]]; then
    python=$work/venv/Scripts/python.exe # Windows
  fi
fi

unset PYTHONPATH PYTHONHOME # pip hands them on to what builds the package
set -- "$(dirname "$action")"
if [[ -n $NLPEVAL_JOBS ]]; then
  set -- "$@" 'pytest-xdist>=3.6'
fi
"$python" -I -m pip install --quiet --disable-pip-version-check "$@" || fail 'pytest-nlpeval could not be installed; the log says why.'

NLPEVAL_INTERPRETER=$python
output interpreter "$python"
output work "$work"
