# What the steps share. Sourced, never run. NLPEVAL_INTERPRETER is the Python to use.
# shellcheck shell=bash

# Ends the step with an annotation; the text is always the action's own.
fail() {
  printf '::error title=nlpeval::%s\n' "$1"
  exit 1
}

# Prints a word that nobody can guess.
random_word() {
  "$NLPEVAL_INTERPRETER" -I -c 'import secrets, sys; sys.stdout.write(secrets.token_hex(16))'
}

# Sets an output of the step, whatever its value holds.
output() {
  local delimiter
  delimiter=$(random_word)
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}
