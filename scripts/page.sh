#!/usr/bin/env bash
# Builds the page of `amends serve` into crates/amends-web/assets. With --check: fails where the committed files are not
# what its sources give. Needs node 20 or newer.
set -euo pipefail
cd "$(dirname "$0")/../crates/amends-web/page"

# npm ci writes .package-lock.json last, so that it is older than the lock file where anything has changed since.
if [[ ! node_modules/.package-lock.json -nt package-lock.json ]]; then
  npm ci --no-audit --no-fund --silent
  touch node_modules/.package-lock.json
fi
npx --no-install tsc --noEmit
case "${1:-}" in
  "") node build.mjs && ls -l ../assets ;;
  --check)
    fresh=$(mktemp -d)
    trap 'rm -rf "$fresh"' EXIT
    node test.mjs
    node build.mjs "$fresh"
    diff -rq "$fresh" ../assets || { echo "the committed page is not up to date: run scripts/page.sh" >&2; exit 1; }
    ;;
  *) echo "usage: scripts/page.sh [--check]" >&2; exit 2 ;;
esac
