#!/usr/bin/env bash
# Writes annotations, the job summary, the outputs and the report folder.
set -euo pipefail
action=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$NLPEVAL_INTERPRETER" -I -X utf8 "$action/report.py"
