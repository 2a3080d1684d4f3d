# `make test` is all that has to pass. It needs Rust, gcc and g++, and python3 with pip for the build with HiGHS.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

HIGHS := --features amends/highs,amends-cli/highs
# The variables that the build with HiGHS needs, from .tools.
WITH_TOOLS := tools=$$(scripts/tools.sh env) && eval "$$tools" &&

.PHONY: test lint test-bare test-highs lint-highs tools fmt

# In this order: what fails soonest comes first, and HiGHS (minutes to compile, once) last.
test:
	$(MAKE) lint
	$(MAKE) test-bare
	$(MAKE) lint-highs
	$(MAKE) test-highs

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

# The bare toolchain: nothing from .tools.
test-bare:
	cargo test --workspace

lint-highs: tools
	$(WITH_TOOLS) cargo clippy --workspace --all-targets $(HIGHS) -- -D warnings

test-highs: tools
	$(WITH_TOOLS) cargo test --workspace $(HIGHS)

tools:
	scripts/tools.sh

fmt:
	cargo fmt --all
