# `make run` sets up and runs; `make test` sets up and tests. Both need Python 3.11 or newer, git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps

# A folder that was left half made, or whose Python is gone or was upgraded, is made again.
READY := $(shell test -x $(BIN)/pip && $(BIN)/python -c 'import pip' 2>/dev/null && echo yes)

# Tests start hundreds of processes. Where Python is told to keep no bytecode, each would compile everything.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help run test check lint types nightly game lock pin clean venv

help:
	@echo "make run    set up and run: the sandbox in your browser, or Discord if DISCORD_TOKEN is set"
	@echo "make test   set up and run every check and test"
	@echo "make check  lint, formatting and mypy: seconds, once its cache is warm"
	@echo "make nightly  what takes too long for every run: whole matches, long hunts, the second referee"
	@echo "make game KEY=liars  a new game, made of the guide's example: docs/adding-a-game.md"
	@echo "make lock   pin the newest allowed versions in requirements/"
	@echo "make pin    pin the image that the Dockerfile begins with, as the registry has it now"

run: $(VENV)/run.stamp
	@$(BIN)/bauta

nightly: export BAUTA_POSITIONS := 8
nightly: WHICH := -m "nightly or not nightly"

# One more than there are cores: some tests wait.
WORKERS = $(shell $(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 1)')

# Types are checked beside the tests, which wait now and then; what is wrong with them is told after the tests.
# What tests import is compiled once beforehand, or in a fresh clone each worker would compile all of it; the
# tests themselves are compiled by the workers, each a share (tests/conftest.py).
test nightly: lint
	@$(MAKE) --silent types >$(VENV)/types.log 2>&1 & types=$$!; trap "kill $$types" INT; \
		$(BIN)/python -m compileall -q -x '/test_[^/]*$$' bot engines renderers sandbox bench tests; \
		$(BIN)/python -m pytest -q -n $(WORKERS) --no-loadscope-reorder $(WHICH); tests=$$?; \
		wait $$types; types=$$?; cat $(VENV)/types.log; exit $$((tests ? tests : types))

check: lint
	@$(BIN)/mypy --no-error-summary

lint: $(VENV)/dev.stamp
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .

types: $(VENV)/dev.stamp
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/pyrefly check --min-severity error --output-format min-text --summary=none

game: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.kit.scaffold $(KEY) $(if $(TITLE),--title "$(TITLE)")

venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Bauta needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# What tests need includes what runs, in the same versions.
$(VENV)/run.stamp $(VENV)/dev.stamp: $(VENV)/%.stamp: requirements/%.txt pyproject.toml $(if $(READY),,venv)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11) and "The Python in $(VENV) is older than 3.11: make clean, then make run again.")'
	@echo "Setting up (once) …"
	@$(PIP) --require-hashes -r $<
	@$(PIP) --no-build-isolation --editable .
	@touch $@ $(VENV)/run.stamp

lock:
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet uv
	@$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		--extra build pyproject.toml -o requirements/run.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		-c requirements/run.txt --extra build --extra dev pyproject.toml -o requirements/dev.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		-c requirements/dev.txt --extra build --extra postgresql pyproject.toml -o requirements/postgresql.txt

pin:
	@base=$$(sed -n 's/^ARG BASE=\([^@]*\).*/\1/p' Dockerfile); \
		digest=$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$$base") || exit 1; \
		expr "$$digest" : 'sha256:[0-9a-f]\{64\}$$' >/dev/null || { echo "no digest: $$digest" >&2; exit 1; }; \
		sed "s|^ARG BASE=.*|ARG BASE=$$base@$$digest|" Dockerfile > Dockerfile.new && mv Dockerfile.new Dockerfile; \
		echo "$$base@$$digest"

clean:
	rm -rf $(VENV) build dist *.egg-info
