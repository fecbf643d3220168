# What the steps share. Sourced, never run. NLPEVAL_INTERPRETER is the Python to use.
# shellcheck shell=bash

# Ends the step with an annotation; the text is always the action's own.
fail() {
  printf '::error title=nlpeval::%s\n' "$1"
  exit 1
}

# Prints a word that nobody can guess. Without the modules `secrets` and `site`, Python takes a third as long.
random_word() {
  "$NLPEVAL_INTERPRETER" -I -S -c 'import os, sys; sys.stdout.write(os.urandom(16).hex())'
}

# Sets an output of the step, whatever its value holds.
output() {
  local delimiter
  delimiter=$(random_word)
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}
