#!/usr/bin/env bash
# Tests the page of `amends serve` in a real browser: the program is started, and Chromium is driven through every feature.
#
#   scripts/test-page.sh                    all of it
#   scripts/test-page.sh applicant.spec.ts  what follows goes to Playwright
#
# Needs node (20 or later) with npm, and Chromium: the one that AMENDS_BROWSER names, or else one on the PATH. Where one of them is
# missing, says so and ends well; in continuous integration (CI=true) as root, Debian's package is installed instead.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
web=$root/crates/amends-web

skip() {
    echo "skipped: the tests of the page in a browser: $*"
    exit 0
}

find_browser() {
    local name
    for name in "${AMENDS_BROWSER:-}" chromium chromium-browser google-chrome; do
        if [[ -n $name ]] && command -v "$name"; then
            return
        fi
    done
    return 1
}

install_browser() {
    [[ ${CI:-} == true && $EUID -eq 0 ]] && command -v apt-get >/dev/null || return 1
    echo "installing Chromium" >&2
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >&2
}

command -v npm >/dev/null || skip "no npm; install node 20 or later"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || skip "node is $(node --version), and 20 or later is needed"
if ! AMENDS_BROWSER=$(find_browser); then
    install_browser || skip "no Chromium; install it (Debian: apt-get install chromium), or name it in AMENDS_BROWSER"
    AMENDS_BROWSER=$(find_browser)
fi
export AMENDS_BROWSER

# What the page computes, and whether the committed page is the one of its sources.
"$root/scripts/page.sh" --check

cargo build --manifest-path "$root/Cargo.toml" --workspace --bin amends
export AMENDS=${CARGO_TARGET_DIR:-$root/target}/debug/amends
export AMENDS_REPOSITORY=$root
# What npm and Playwright write stays out of the sources. The copy has the folders of the sources, because the tests use the page's words.
work=$root/.tools/browser
mkdir -p "$work"
cp "$web"/tests/browser/{package.json,package-lock.json,.npmrc} "$work"
(cd "$work" && npm ci --loglevel=error)
rm -rf "$work"/{tests,page}
mkdir -p "$work"/tests/browser "$work"/page/src/{api,i18n}
cp "$web"/tests/browser/{*.ts,tsconfig.json} "$work/tests/browser"
cp "$web"/page/src/i18n/{en,de,audit.en,audit.de}.ts "$work/page/src/i18n"
cp "$web"/page/src/api/{audits,types}.ts "$work/page/src/api"
cd "$work/tests/browser"
../../node_modules/.bin/tsc -p .
export AMENDS_BROWSER_RESULTS=$work/results
exec ../../node_modules/.bin/playwright test "$@"
