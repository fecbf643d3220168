#!/usr/bin/env bash
# Runs pytest. While it runs, the runner obeys no command in its output, and it is not told where outputs and variables are set.
set -euo pipefail
action=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/common.sh
source "$action/common.sh"

token=$(random_word)
printf '::stop-commands::%s\n' "$token"
status=0
"$NLPEVAL_INTERPRETER" -I "$action/arguments.py" || status=$?
if [[ $status == 0 && ! -f $NLPEVAL_WORK/plan.json ]]; then
  echo 'nlpeval: code of another package, such as a task, ended the process that prepares the run. Upgrade that, or take it out.'
  status=2
fi
if [[ $status == 0 ]]; then
  env -u GITHUB_ENV -u GITHUB_OUTPUT -u GITHUB_PATH -u GITHUB_STATE \
    "$NLPEVAL_INTERPRETER" -P "$action/run_pytest.py" || status=$?
fi
printf '\n::%s::\n' "$token"
output status "$status"
