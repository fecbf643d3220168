#!/usr/bin/env bash
# Keeps the comment on a pull request up to date. The token is in this step's environment alone.
set -euo pipefail
action=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$NLPEVAL_INTERPRETER" -I -X utf8 "$action/comment.py"
