#!/usr/bin/env bash
# Gets what the build with HiGHS needs (cmake, libclang) and the solver cbc for the tests, into .tools and nowhere else.
#
#   scripts/tools.sh            get what is missing
#   scripts/tools.sh bench      get highspy too, which the benchmark compares with
#   scripts/tools.sh env        print the variables to set: eval "$(scripts/tools.sh env)"
#
# Needs python3 with pip and venv, and gcc. Safe to run again: what is there stays.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=$root/.tools
venv=$tools/venv
cbc=$tools/cbc

say() { echo "tools: $*" >&2; }

libclang_folder() {
    compgen -G "$venv/lib/python3*/site-packages/clang/native/libclang.so" | head -n 1 | xargs -r dirname
}

get_build_tools() {
    if [[ -x $venv/bin/cmake && -n $(libclang_folder) ]]; then
        say "cmake and libclang are here"
        return
    fi
    say "getting cmake and libclang with pip"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "cmake<5" "libclang>=16"
    if [[ ! -x $venv/bin/cmake || -z $(libclang_folder) ]]; then
        say "pip ran, but cmake or libclang is not in $venv; install both with the system's packages instead"
        return 1
    fi
}

# Debian and Ubuntu only. Packages are unpacked beside the repository's files, not installed.
get_cbc() {
    if command -v cbc >/dev/null || [[ -x $cbc/bin/cbc ]]; then
        say "cbc is here"
        return
    fi
    if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
        say "cbc not found and no apt-get to get it with: the tests with cbc are skipped"
        return
    fi
    say "getting cbc"
    rm -rf "$cbc"
    mkdir -p "$cbc/packages" "$cbc/root" "$cbc/bin"
    if ! fetch_cbc_packages; then
        say "apt-get can't download cbc (try 'apt-get update'): the tests with cbc are skipped"
        rm -rf "$cbc"
        return
    fi
    for package in "$cbc"/packages/*.deb; do
        dpkg -x "$package" "$cbc/root"
    done
    cat >"$cbc/bin/cbc" <<WRAPPER
#!/bin/sh
folders=\$(find "$cbc/root/usr/lib" -name '*.so*' -exec dirname {} + | sort -u | paste -sd: -)
LD_LIBRARY_PATH="\$folders\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" exec "$cbc/root/usr/bin/cbc" "\$@"
WRAPPER
    chmod +x "$cbc/bin/cbc"
    if ! "$cbc/bin/cbc" quit >/dev/null 2>&1; then
        say "the cbc that was downloaded does not run: the tests with cbc are skipped"
        rm -rf "$cbc"
    fi
}

fetch_cbc_packages() {
    local packages
    packages=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
        --no-replaces --no-enhances coinor-cbc 2>/dev/null | grep -E '^(coinor-|libblas3|liblapack3|libgfortran5|libquadmath0)' | sort -u)
    [[ -n $packages ]] || return 1
    # Names of packages hold no spaces.
    # shellcheck disable=SC2086
    (cd "$cbc/packages" && apt-get download $packages >/dev/null 2>&1)
}

print_env() {
    local path=$PATH native
    [[ -x $cbc/bin/cbc ]] && path=$cbc/bin:$path
    if [[ -x $venv/bin/cmake ]]; then
        path=$venv/bin:$path
        printf 'export CMAKE=%q\n' "$venv/bin/cmake"
    fi
    native=$(libclang_folder)
    [[ -n $native ]] && printf 'export LIBCLANG_PATH=%q\n' "$native"
    # The libclang package brings no headers of its own; the compiler's do.
    command -v gcc >/dev/null && printf 'export BINDGEN_EXTRA_CLANG_ARGS=%q\n' "-I$(gcc -print-file-name=include)"
    printf 'export PATH=%q\n' "$path"
}

case ${1:-get} in
    get)
        get_build_tools
        get_cbc
        ;;
    bench)
        get_build_tools
        "$venv/bin/pip" install --quiet --disable-pip-version-check highspy
        ;;
    env) print_env ;;
    *)
        echo "usage: scripts/tools.sh [get|bench|env]" >&2
        exit 2
        ;;
esac
