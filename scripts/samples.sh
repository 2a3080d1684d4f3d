#!/usr/bin/env bash
# Writes the sample pages in docs/samples, with a fixed date so that only what changed differs.
#
#   scripts/samples.sh [program]    the program is target/release/amends where none is named
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
amends=${1:-$root/target/release/amends}
export SOURCE_DATE_EPOCH=1795046400
cd "$root/docs/samples"
"$amends" explain --rejected 8 --plans 2 --reasons --output explain.html
"$amends" audit --all-rows --reasons --by age:30,50 --by housing --output audit.html
