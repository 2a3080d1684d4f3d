#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it in a fresh environment (.tools/python) and runs its tests there.
#
#   scripts/test-python.sh            all of it
#   scripts/test-python.sh -k german  what follows goes to pytest
#
# Needs python3 (3.9 or later) with pip and venv, and Rust. Python's headers are not needed. pip downloads maturin, scikit-learn,
# XGBoost, LightGBM, CatBoost, interpret, PySpark and what they need. optbinning is tested where it is installed. The tests with Spark need Java; where there is none, they say "skipped: no Java".
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.tools/python
package=$root/crates/amends-python
wheels=$root/.tools/wheels

rm -rf "$venv" "$wheels"
python3 -m venv "$venv"
# What Python saves is served by the program, too.
cargo build --manifest-path "$root/Cargo.toml" --workspace --bin amends
export AMENDS=${CARGO_TARGET_DIR:-$root/target}/debug/amends
"$venv/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$wheels" "$package"
wheel=$(compgen -G "$wheels/amends-*.whl")
"$venv/bin/pip" install --quiet --disable-pip-version-check "${wheel}[test]"
# From the folder of the tests, so that the installed package is tested and not its sources.
cd "$package/tests"
exec "$venv/bin/python" -m pytest --config-file="$package/pyproject.toml" --rootdir="$package" "$@" .
