#!/usr/bin/env bash
# Sends the server thousands of requests made from its own OpenAPI document, valid ones and broken ones, and fails where an answer
# is not as the document says, or a failure of the server. A minute or two; needs python3 with venv and pip, which downloads
# schemathesis into .tools/fuzz-api.
#
#   scripts/fuzz-api.sh                      the debug build of `amends serve` on German credit, started here
#   scripts/fuzz-api.sh --max-examples 500   what follows goes to schemathesis
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.tools/fuzz-api
if [[ ! -x $venv/bin/schemathesis ]]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis>=4,<5"
fi
cargo build --manifest-path "$root/Cargo.toml" --bin amends
amends=${CARGO_TARGET_DIR:-$root/target}/debug/amends

folder=$(mktemp -d)
"$amends" receipt-key "$folder/key.pem" >/dev/null
"$amends" serve --port 0 --model lr --time-limit 1 --receipt-key "$folder/key.pem" --lender "$root/docs/samples/lender.toml" >"$folder/out" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
url=
for _ in $(seq 100); do
  url=$(sed -n 's/^amends is at //p' "$folder/out")
  [[ -n $url ]] && break
  sleep 0.1
done

cd "$folder"
# Left out: whether everything that fits the schema is accepted. Rows that there are, levels and rules depend on the table.
"$venv/bin/schemathesis" run "${url}api/v1/openapi.json" \
  --exclude-checks positive_data_acceptance,ignored_auth --max-examples 60 --seed 1 --request-timeout 20 \
  --suppress-health-check all --warnings off "$@"
