#!/usr/bin/env bash
# Writes annotations, the job summary, the outputs and the report folder.
set -euo pipefail
action=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
source "$action/common.sh"

"$NLPEVAL_INTERPRETER" -I -X utf8 "$action/report.py"
# The outputs come last. A task of another package can end the process before, from C, with exit code 0.
if [[ ! -s $GITHUB_OUTPUT ]]; then
  fail 'The report did not come to its end: code of another package, such as a task, ended its process. Upgrade that, or take it out.'
fi
