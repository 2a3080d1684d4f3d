#!/usr/bin/env bash
# Takes the pictures of the page that docs/serve.md shows, into docs/images. Needs what scripts/test-page.sh needs.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$root/docs/images"
AMENDS_PICTURES=$root/docs/images "$root/scripts/test-page.sh" screenshots.ts
large=$(find "$root/docs/images" -name '*.png' -size +200k)
[[ -z $large ]] || { echo "larger than 200 kB: $large" >&2; exit 1; }
