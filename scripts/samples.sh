#!/usr/bin/env bash
# Writes the sample pages and letters in docs/samples, with a fixed date so that only what changed differs.
#
#   scripts/samples.sh [program]    the program is target/release/amends where none is named
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
amends=${1:-$root/target/release/amends}
export SOURCE_DATE_EPOCH=1795046400
cd "$root/docs/samples"
"$amends" explain --rejected 8 --plans 2 --reasons --output explain.html
"$amends" audit --all-rows --reasons --by age:30,50 --by housing --output audit.html

# letter NAME ENDING ARGUMENTS: a letter under a name of its own.
letter() {
  "$amends" letter --model lr "${@:3}" > "letter-$1.$2"
}
letter us-en html --lender lender.toml --row 60 --format html
letter us-en txt --lender lender.toml --row 60
letter eu-de html --lender lender-de.toml --language de --law eu --row 60 --format html
letter no-plan txt --lender lender.toml --law eu --row 60 --rule "duration stays" --rule "credit_amount stays"
