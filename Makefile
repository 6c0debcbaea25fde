# Everything that a person or a machine does with this project. `make` alone lists it.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

# Set PYTHON to choose another interpreter, VENV to keep the environment elsewhere.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := engine server clients/python tests proto docs/make_rules.py

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | sed -E 's/:.*## /\t/' | expand -t 16

# The environment is made once, and again when pyproject.toml changes.
$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "euchre-arena needs Python 3.11 or newer: $(PYTHON) was not found (set PYTHON=...)" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "euchre-arena needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "euchre-arena needs Python's venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@echo "Making the environment in $(VENV) (about a minute, once) ..."
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' || { echo "the packages could not be installed: see pip's message above" >&2; exit 2; }
	@touch $@

.PHONY: env
env: $(STAMP) ## Make the environment

.PHONY: match
match: $(STAMP) ## Play a three-handed match of three bot processes over gRPC
	@$(BIN)/euchre-arena match --rules three-handed --bot rules --bot rules --bot random --boards 40

.PHONY: test
test: $(STAMP) ## Run the tests (under five minutes)
	@$(BIN)/python -m pytest -q -n 2 -m "not long"

.PHONY: test-all
test-all: $(STAMP) ## Run the tests, the long ones included
	@$(BIN)/python -m pytest -q -n 2

.PHONY: check
check: $(STAMP) ## Check format, lint, types, import contracts, protocol and stubs
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@cd proto && $(abspath $(BIN))/buf lint && $(abspath $(BIN))/buf format --diff --exit-code
	@$(BIN)/python proto/generate.py --check

.PHONY: format
format: $(STAMP) ## Format the sources and mend what the linter can
	@$(BIN)/ruff check --fix-only --quiet $(SOURCES)
	@$(BIN)/ruff format $(SOURCES)
	@cd proto && $(abspath $(BIN))/buf format --write

.PHONY: proto
proto: $(STAMP) ## Make the Python stubs from proto/
	@$(BIN)/python proto/generate.py

.PHONY: docs
docs: $(STAMP) ## Make docs/rules.md from the engine's tables
	@$(BIN)/python docs/make_rules.py

.PHONY: vectors
vectors: $(STAMP) ## Make the language-neutral test vectors again
	@$(BIN)/python tests/vectors/make.py
	@$(BIN)/python tests/vectors/make_lean.py

# Options for it, such as SIMULATE="--family lossy --seed 17 --trace"; --help lists them.
SIMULATE ?=

.PHONY: simulate
simulate: $(STAMP) ## Simulate 10,000 tables at which things go wrong
	@$(BIN)/python tests/simulation/simulate.py $(SIMULATE)

.PHONY: bench
bench: $(STAMP) ## Measure the engine, the referee, and the arena against a bare echo server
	@$(BIN)/python tests/bench/bench_engine.py
	@$(BIN)/python tests/bench/bench_referee.py
	@$(BIN)/python tests/bench/bench_views.py
	@$(BIN)/python tests/bench/bench_arena.py
	@$(BIN)/python tests/bench/bench_durability.py
	@$(BIN)/python tests/bench/bench_memory.py
	@$(BIN)/python tests/bench/bench_flood.py

.PHONY: golden
golden: $(STAMP) ## Make the golden replays again; read the difference before you commit it
	@$(BIN)/python tests/golden/make.py

.PHONY: clean
clean: ## Remove the environment and every cache
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
	@find engine server clients tests -name __pycache__ -type d -prune -exec rm -rf {} +
