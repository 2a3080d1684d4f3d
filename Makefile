# `make test` is all that has to pass. It needs Rust, gcc and g++, and python3 with pip for the build with HiGHS.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

HIGHS := --features amends/highs,amends-cli/highs,amends-reproduce/highs
# The variables that the build with HiGHS needs, from .tools.
WITH_TOOLS := tools=$$(scripts/tools.sh env) && eval "$$tools" &&

# Tests that need data sets which the repository doesn't hold are ignored, unless the folder with them is there.
DATA := $(or $(AMENDS_DATA),../shared/data)
ON_DATA := --include-ignored --skip the_program_cbc
TESTS := $(if $(wildcard $(DATA)),-- $(ON_DATA))

.PHONY: test lint test-bare test-data test-cbc test-highs lint-highs test-python test-page fuzz fuzz-api tools fmt bench-milp bench-cases bench-scale page page-check

# In this order: what fails soonest comes first, and HiGHS (minutes to compile, once) last.
test:
	$(MAKE) lint
	$(MAKE) test-bare
	$(MAKE) test-python
	$(MAKE) test-page
	$(MAKE) lint-highs
	$(MAKE) test-highs

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

# The bare toolchain: nothing from .tools.
test-bare:
	cargo test --workspace $(TESTS)

# All tests, with those on the data sets: an error where AMENDS_DATA (or ../shared/data) is absent.
test-data:
	cargo test --workspace -- $(ON_DATA)

# The solver CBC through files. Needs the program cbc.
test-cbc:
	AMENDS_TEST_CBC=1 cargo test -p amends --test library milp::solvers -- --include-ignored
	cargo test -p amends-cli --test cli the_program_cbc -- --ignored

lint-highs: tools
	$(WITH_TOOLS) cargo clippy --workspace --all-targets $(HIGHS) -- -D warnings

test-highs: tools
	$(WITH_TOOLS) cargo test --workspace $(HIGHS) $(TESTS)

# The Python package: its wheel, built and installed in a fresh environment in .tools, and pytest with the real scikit-learn,
# XGBoost, LightGBM and, where there is Java, Spark.
test-python:
	scripts/test-python.sh

# The page of `amends serve`: what it computes, that the committed files are those of its sources, and every feature in Chromium.
# Skipped with a reason where node 20, npm or Chromium is missing.
test-page:
	scripts/test-page.sh

# Random applicants against every application they could write. AMENDS_FUZZ=100000 takes more of them, AMENDS_FUZZ_SEED=7 others.
fuzz:
	AMENDS_FUZZ=$${AMENDS_FUZZ:-20000} cargo test --release -p amends --test library every_value::long_run -- --nocapture

# Requests made from the server's OpenAPI document, with schemathesis from PyPI.
fuzz-api:
	scripts/fuzz-api.sh

tools:
	scripts/tools.sh

# The page of `amends serve`, from its sources. Needs node 20.
page:
	scripts/page.sh

page-check:
	scripts/page.sh --check

fmt:
	cargo fmt --all

# HiGHS through amends beside HiGHS through highspy, on the same rows. Minutes; prints a table.
bench-milp:
	scripts/tools.sh bench
	$(WITH_TOOLS) cargo build --release --features amends-cli/highs
	.tools/venv/bin/python scripts/bench/milp.py --amends target/release/amends

# Instances with known optima through the milp engine: make bench-cases CASES=folder. An hour or more.
bench-cases: tools
	$(WITH_TOOLS) cargo build --release --features amends-cli/highs
	python3 scripts/bench/cases.py --amends target/release/amends --cases $(CASES)

# Large models, many columns, many rows and many applicants, on tables that the scripts make; hours. Or on your own:
# make bench-scale TABLE='--table FILE --target COLUMN --drop COLUMN'. Each script of the folder can be run alone.
bench-scale:
	cargo build --release --bin amends
	python3 -m venv .tools/scale
	.tools/scale/bin/pip install --quiet --disable-pip-version-check . scikit-learn lightgbm xgboost
	.tools/scale/bin/python scripts/bench/scale/ensembles.py $(TABLE)
	.tools/scale/bin/python scripts/bench/scale/columns.py $(TABLE)
	.tools/scale/bin/python scripts/bench/scale/rows.py
	.tools/scale/bin/python scripts/bench/scale/batches.py --amends target/release/amends $(TABLE)
