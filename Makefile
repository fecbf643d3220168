# make demo: everything that the examples need, and their run. make test: everything that the tests need, and the tests.
# Both need Python 3.11 or later, git and make, and nothing else.
# Where all tests run, three processes share two processors: now and then one of them waits for a browser.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
FUZZ_SECONDS ?= 60
TARGETS ?=
MUTANTS ?=
ROUNDS ?= 5
ROWS ?=

OF_OTHER_JOBS = tests/faults tests/action/test_attacks.py tests/install/test_first_gate.py tests/test_transcripts.py

.PHONY: demo test bench faults search first-gate fuzz mutants warnings coverage lowest lint types layering wheel actions axe docs checkers clean

demo: $(VENV)/.installed
	$(BIN)/pytest --nlpeval examples

# Jobs of their own try what faults do, signals at any moment among them, which need a machine of their own, and all attacks on the action
# (`make faults`), and run the pages that are transcripts, which install packages from an index (`make first-gate`).
test: $(VENV)/.installed-dev
	$(BIN)/pytest --numprocesses 3 $(foreach path,$(OF_OTHER_JOBS),--ignore $(path))

# All tests of properties with examples that differ from run to run, where those of `make test` are always the same. What fails is shown with
# how to repeat it.
search: $(VENV)/.installed-dev
	$(BIN)/pytest --numprocesses 2 -m hypothesis --hypothesis-profile search

# What faults and attacks do: interrupts, signals, kills, full disks, closed streams, forged stores, tasks that fail, tricks in pull requests;
# and how soon large pages open in a browser.
faults: $(VENV)/.installed-dev
	$(BIN)/pytest --numprocesses 2 tests/faults tests/action/test_attacks.py tests/unit/run/test_store.py tests/unit/test_writing.py

# Runs docs/first-gate.md and the tutorials in empty environments; in that of the tests, these and all other pages that are transcripts.
first-gate: $(VENV)/.installed-dev
	$(BIN)/pytest --numprocesses 2 tests/install/test_first_gate.py tests/test_transcripts.py

# Fuzzes all targets, or those of TARGETS, each for so many seconds, guided by atheris, which has a virtual environment of its own.
# Failures and what the next run begins with stay in .fuzz.
fuzz: $(VENV)-fuzz/.installed
	$(VENV)-fuzz/bin/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(TARGETS)

# Measures all rows of benchmarks/RESULTS.md and writes them, beside the peers that the extra `oracle` and pandas bring; ROUNDS, ROWS choose.
bench: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,oracle]' pandas
	$(BIN)/python benchmarks/results.py --write --rounds $(ROUNDS) $(ROWS)

# Changes the modules that pyproject.toml names in one place after the other, or those of MUTANTS, as 'pytest_nlpeval.gates*', and lists the
# changes that no unit test notices. mutmut has a virtual environment of its own; what was tried stays in mutants.
mutants: $(VENV)-mutants/.installed
	$(VENV)-mutants/bin/mutmut run --max-children 2 $(foreach name,$(MUTANTS),'$(name)')
	$(VENV)-mutants/bin/mutmut results

# All tests, and how much of the package they run; fails below the floor in pyproject.toml.
coverage: $(VENV)/.installed-dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --numprocesses 3
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# All tests, where every warning of every process is an error.
warnings: $(VENV)/.installed-dev
	NLPEVAL_TEST_WARNINGS=error $(BIN)/python -W error -m pytest --numprocesses 3

# All tests with the lowest versions that pyproject.toml allows, in a virtual environment of their own.
lowest: $(VENV)/.installed-ci
	$(PYTHON) -m venv --clear $(VENV)-lowest
	$(BIN)/uv pip install --quiet --python $(VENV)-lowest/bin/python --resolution lowest-direct --editable '.[dev]'
	$(VENV)-lowest/bin/pytest --numprocesses 3

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.installed-dev
	$(BIN)/mypy

layering: $(VENV)/.installed-dev
	$(BIN)/lint-imports

# Builds the site of the documentation in dist/site; a link that leads nowhere fails it.
docs: $(VENV)/.installed-docs
	$(BIN)/mypy docs/site
	$(BIN)/python -m doctest docs/site/*.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/python -m tests.browser.site

# Builds the wheel, and runs it in a virtual environment of its own, far from the checkout.
wheel: $(VENV)/.installed-dev
	PYTHON=$(PYTHON) BUILD=$(BIN)/python tests/install/smoke.sh

# Fetches axe-core, with which the browser tests look for what keeps people from reading a page. Needs Node.js with npm.
axe:
	npm ci --prefix tests/browser --no-audit --no-fund --silent

# Checks action.yml, all workflows and scripts, the citation and the issue forms. Needs Node.js with npm as well.
actions: $(VENV)/.installed-ci
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[0-9]*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	BIN=$(BIN) tests/action/check.sh

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

$(VENV)/.installed-ci: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ci]'
	touch $@

# What `docs` and `actions` need, by one run of pip instead of two.
checkers: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ci,docs]'
	touch $(VENV)/.installed-ci $(VENV)/.installed-docs

$(VENV)-fuzz/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)-fuzz
	$(VENV)-fuzz/bin/python -m pip install --quiet --disable-pip-version-check 'atheris~=3.0' --editable .
	touch $@

$(VENV)-mutants/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)-mutants
	$(VENV)-mutants/bin/python -m pip install --quiet --disable-pip-version-check 'mutmut~=3.8' --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-fuzz $(VENV)-lowest $(VENV)-mutants dist build .coverage .coverage.* .fuzz .hypothesis .import_linter_cache .mypy_cache \
		.nlpeval_cache .pytest_cache .ruff_cache mutants nlpeval-report tests/action/actionlint/node_modules tests/browser/node_modules
