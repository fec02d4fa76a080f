# Everything a developer runs, by name. `make` alone lists it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

INPUTS := pyproject.toml constraints.txt proto/pyproject.toml server/pyproject.toml \
          clients/python/pyproject.toml

# Seconds that `make fuzz` takes. The shell has a variable of this name: only the command line counts.
SECONDS = 60

# A broken stamp or stub must not look finished.
.DELETE_ON_ERROR:
# Cheap checks come first, whatever -j says.
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help demo serve test check simulate kills stats-check soak fuzz bench growth proto docs site dist deploy-check pins clean
.PHONY: check-format check-lint check-spelling check-imports check-types \
        check-proto-lint check-proto-format check-proto-breaking check-stubs

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## play a cup of three bundled bots on a server started for it, and verify it
	@$(BIN)/python clients/python/examples/play_cup.py

serve: $(READY) ## run a server: ARGS="--port 7811 --data other"; ARGS=--help for help
	@$(BIN)/skat-server serve $(ARGS)

test: $(READY) ## run all tests but the load runs; more options in ARGS
	@$(BIN)/pytest $(ARGS)

check: check-format check-lint check-spelling check-imports check-types check-proto-lint ## run every check that is not a test
check: check-proto-format check-proto-breaking check-stubs

simulate: $(READY) ## run many seeds of the simulation: SEEDS=1000; SEED=7 replays one
	@$(BIN)/python -m tests.simulation $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),1000)) $(ARGS)

kills: $(READY) ## kill a server at 30 moments of an event of 100 deals: KILLS=30 SEED=1
	@SKAT_KILLS=$(or $(KILLS),30) SKAT_KILLS_SEED=$(or $(SEED),1) \
	    $(BIN)/pytest tests/e2e/test_kills.py $(ARGS)

stats-check: $(READY) ## simulate events and see how often intervals hold and tests err: EVENTS=2000
	@$(BIN)/python -m tests.statistics.coverage --events $(or $(EVENTS),2000) $(ARGS)

soak: $(READY) ## load a real server for long, then kill one through an event: MINUTES=10 TABLES=200 KILLS=100
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),10) --tables $(or $(TABLES),200) $(ARGS)
	@$(MAKE) --no-print-directory kills KILLS=$(or $(KILLS),100) ARGS=

fuzz: $(READY) ## look for inputs that break the server, for SECONDS=60
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group fuzz
	@$(BIN)/python -m tests.fuzz.run --seconds $(SECONDS)

bench: $(READY) ## measure the server against a bare echo: ARGS="tables-64 --rounds 3"; ARGS=-h for help
	@$(BIN)/python -m bench.run $(ARGS)

growth: $(READY) ## measure how a server grows with its tables, and draw docs/growth.svg: ARGS=-h for help
	@$(BIN)/python -m bench.growth --output docs/growth.svg $(ARGS)

proto: $(READY) ## make the Python stubs and the protocol's reference from the .proto files
	@$(BIN)/python proto/generate.py
	@$(BIN)/python docs/protocol/generate.py

docs: $(READY) ## write the pages and dashboards that follow from declarations
	@$(BIN)/python docs/rules/generate.py
	@$(BIN)/python docs/protocol/generate.py
	@$(BIN)/python docs/observed.py
	@$(BIN)/python -m deploy.grafana.generate

site: $(READY) ## build the pages of docs/ as a site that needs no network; a warning is an error
	@$(BIN)/python -m sphinx -q -E -W --keep-going -b html docs site
	@echo "site/index.html"

dist: $(READY) ## build wheels, source archives, bills of materials and sums: the same bytes for everybody
	@$(BIN)/python -m deploy.release

deploy-check: $(READY) ## check all of deploy/ with the programs that read it: ARGS="systemd haproxy"
	@$(BIN)/python -m deploy.check $(ARGS)

pins: ## resolve all dependencies anew and write constraints.txt
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch"; pip="$$scratch/bin/python -m pip --disable-pip-version-check"; \
	$$pip install --quiet --upgrade 'pip>=25.1'; \
	$$pip install --quiet -e ./proto -e './server[speed,report,parquet]' -e './clients/python[pettingzoo]' --group dev --group fuzz --group deploy; \
	{ echo '# Exact versions of everything the environment holds; written by `make pins`, not by hand.'; \
	  $$pip freeze --exclude-editable; } > constraints.txt
	@echo "constraints.txt: $$(grep -c == constraints.txt) pins"

clean: ## remove the environment, caches and build output
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis \
	    .coverage htmlcov proto/dist server/dist clients/python/dist dist site .deploy
	@find proto server clients tests bench -name __pycache__ -type d -prune -exec rm -rf {} + \
	    2>/dev/null || true
	@echo "clean"

# ---------------------------------------------------------------------------- the steps of `check`

# One line a step; what the tool says is shown only when it fails.
define step
	@printf '%-20s' '$(1)'; \
	if out=$$($(2) 2>&1); then echo ok; else echo FAILED; printf '%s\n' "$$out"; exit 1; fi
endef

check-format: $(READY)
	$(call step,format,$(BIN)/ruff format --check --quiet --diff .)

check-lint: $(READY)
	$(call step,lint,$(BIN)/ruff check --quiet --output-format=concise .)

check-spelling: $(READY)
	$(call step,spelling,$(BIN)/codespell)

check-imports: $(READY)
	$(call step,import contracts,$(BIN)/lint-imports --no-logo)

check-types: $(READY)
	$(call step,types,$(BIN)/mypy)

check-proto-lint: $(READY)
	$(call step,proto lint,$(BIN)/buf lint)

check-proto-format: $(READY)
	$(call step,proto format,$(BIN)/buf format --diff --exit-code)

check-proto-breaking: $(READY)
	$(call step,proto breaking,$(BIN)/buf breaking --against proto/baseline.binpb)

check-stubs: $(READY)
	$(call step,stubs,$(BIN)/python proto/generate.py --check)

# ------------------------------------------------------------------------------- the environment

# Made again only when a pyproject or a pin changes. --group needs pip 25.1, newer than what venv brings.
$(READY): $(INPUTS)
	@command -v $(PYTHON) >/dev/null || \
	    { echo "$(PYTHON) is not there. Install Python 3.11 or newer, or say make PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "$$($(PYTHON) --version) is too old: Python 3.11 or newer is needed. Say make PYTHON=python3.11, for example."; exit 1; }
	@echo "environment: $(VENV), about a minute"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
	    -e ./proto -e './server[report,parquet]' -e './clients/python[pettingzoo]' --group dev
	@touch $@
