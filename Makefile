# Everything a stranger needs: `make demo` to see it work, `make test` to trust it.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
DATA ?= ../shared/eval

.PHONY: demo test lint unit engines test-engines format bench-quality bench-speed bench-indexing bench-oracle bench-masking bench-audit bench-redaction torture fuzz fuzz-filters wheel docs clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[all]"
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group test
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	@touch $@

demo: $(VENV)/.installed  ## index this repository and ask it three questions in three languages
	@PATH="$(abspath $(BIN)):$$PATH" scripts/demo.sh

test: lint unit  ## lint, types, layers, documentation and every test

lint: $(VENV)/.installed-test
	$(BIN)/ruff check src tests scripts
	$(BIN)/ruff format --check src tests scripts
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.installed-test
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pytest

engines: $(VENV)/.installed-test  ## build the search engines that tests use where they are there: Milvus, Elasticsearch, OpenSearch
	$(BIN)/python scripts/engines/build.py

test-engines: $(VENV)/.installed-test engines  ## every test of the stores over every engine that can be had; takes half an hour
	TEST_ALL_ENGINES=1 PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pytest tests/adapters/stores tests/engines

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix src tests scripts
	$(BIN)/ruff format src tests scripts

bench-quality: $(VENV)/.installed-bench  ## nDCG@10, Hit@1/5 and MRR@10 on BEIR folders below DATA
	$(BIN)/python scripts/bench_quality.py $(DATA)

bench-speed: $(VENV)/.installed-bench  ## latency, memory and start-up at 10,000 and 100,000 chunks
	$(BIN)/python scripts/bench_speed.py

bench-indexing: $(VENV)/.installed-bench  ## syncs of 10,000 files, and what a search costs beside its two legs
	$(BIN)/python scripts/bench_indexing.py

bench-oracle: $(VENV)/.installed-test  ## whether time tells a hidden document from a missing one
	$(BIN)/python scripts/measure_oracle.py

bench-masking: $(VENV)/.installed-test  ## what it costs to search only what a reader may see
	$(BIN)/python scripts/bench_masking.py

bench-audit: $(VENV)/.installed  ## what a line of the audit costs, and who saw a document among a million lines
	$(BIN)/python scripts/bench_audit.py

bench-redaction: $(VENV)/.installed-bench  ## what is found and what is not, beside peers; REPOSITORIES are folders of clones
	$(BIN)/python scripts/bench_redaction.py --labelled $(DATA)/pii-secrets/presidio_small.jsonl --show $(REPOSITORIES)

torture: $(VENV)/.installed-test  ## kill -9 a sync at 200 random moments
	CITEWELL_TORTURE_ROUNDS=200 $(BIN)/pytest -n0 --timeout=3600 -k "killed" tests

fuzz: $(VENV)/.installed-test  ## 20,000 scenes by every surface: does anything tell that there are hidden documents? Takes hours
	FUZZ_EXAMPLES=20000 $(BIN)/pytest tests/security/test_two_worlds.py

fuzz-filters: $(VENV)/.installed-test engines  ## 20,000 fuzzed filters and queries for each store, beside an oracle; takes hours
	FUZZ_FILTERS=20000 FUZZ_FILTERS_JSON=docs/benchmarks/fuzzed-filters.json $(BIN)/pytest -n0 tests/adapters/stores/test_fuzzed_filters.py

wheel: $(VENV)/.installed-test  ## build the wheel, install it into a new environment and run the demo from it
	PYTHON="$(PYTHON)" scripts/try_wheel.sh

docs: $(VENV)/.installed  ## write the generated reference pages anew
	$(BIN)/python scripts/write_reference.py

clean:
	rm -rf .venv .bench .engines dist build .citewell
