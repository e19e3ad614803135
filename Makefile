# Everything runs in .venv, which the first target that needs it makes from python3 alone, with hashed packages.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Nothing is fetched to build the few packages that come as source: setuptools is installed first, from the lock as well.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-build-isolation --use-pep517
STAMP := $(VENV)/.installed
PYTEST_ARGS ?=
# Test processes at a time; each has its own Postgres and Valkey.
JOBS ?= 2
GATE_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help install serve demo test check gate format bench lock clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Meldhouse needs Python 3.11 or newer as python3; name another by make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "This Python cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing the packages into $(VENV) (once; about a minute)"
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@sed -n '/^setuptools==/,/[^\\]$$/p' requirements.lock > $(VENV)/setuptools.lock
	@$(PIP_INSTALL) --require-hashes -r $(VENV)/setuptools.lock
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-index --no-deps --editable .
	@touch $@

install: $(STAMP) ## Make the virtual environment

serve: $(STAMP) ## Run the service, with its own Postgres and Valkey unless told otherwise
	@$(BIN)/meldhouse serve

demo: $(STAMP) ## Watch four bots play a game through the API
	@$(BIN)/meldhouse demo

test: $(STAMP) ## Run the tests (PYTEST_ARGS="-k name" for some of them)
	@$(BIN)/pytest -n $(JOBS) $(PYTEST_ARGS)

check: $(STAMP) ## Formatting, lint, types and import contracts
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

gate: $(STAMP) ## Before a release: replay golden games, and with DATABASE_URL the archive (GATE_ARGS="--before FILE")
	@$(BIN)/python -m tests.golden.gate $(GATE_ARGS)

format: $(STAMP) ## Put the code into shape
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

bench: $(STAMP) ## Measure the speed
	@$(BIN)/meldhouse bench

lock: $(STAMP) ## Pin the newest packages that pyproject.toml allows
	@$(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --no-annotate \
	  --group dev pyproject.toml --output-file requirements.lock

clean: ## Remove the virtual environment and the caches (the games stay)
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
