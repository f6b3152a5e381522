# Sourced by the other scripts: makes sure that SQLite's headers are there, and says what it does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v swift >/dev/null 2>&1; then
    echo "Swift 6.2 or newer is needed: https://www.swift.org/install" >&2
    exit 2
fi

# The folder of the toolchain's own programs, behind whatever links to it.
toolchain() {
    dirname "$(readlink -f "$(command -v swift)")"
}

# Runs a command whose temporary files are in memory, where 4 GiB are free there and no other place is asked
# for: no test is about a disk's speed.
in_memory() (
    free="$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $4 }')"
    if [ -z "${TMPDIR:-}" ] && [ "${free:-0}" -ge 4194304 ]; then
        TMPDIR="$(mktemp -d /dev/shm/scenestore.XXXXXX)"
        export TMPDIR
        trap 'rm -rf "$TMPDIR"' EXIT
        # Tests as another user enter it.
        chmod 711 "$TMPDIR"
    fi
    "$@"
)

has_sqlite_headers() {
    [ "$(uname -s)" = Darwin ] && return 0
    local compiler
    for compiler in clang cc gcc; do
        if command -v "$compiler" >/dev/null 2>&1; then
            echo '#include <sqlite3.h>' | "$compiler" -E -x c - >/dev/null 2>&1 && return 0
        fi
    done
    [ -e /usr/include/sqlite3.h ] || [ -e /usr/local/include/sqlite3.h ]
}

if ! has_sqlite_headers; then
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        as_root=sudo
    fi
    if command -v apt-get >/dev/null 2>&1; then
        echo "Installing libsqlite3-dev, which is missing (apt-get)." >&2
        $as_root apt-get update -qq >&2
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq libsqlite3-dev >&2
    elif command -v dnf >/dev/null 2>&1; then
        echo "Installing sqlite-devel, which is missing (dnf)." >&2
        $as_root dnf install -y -q sqlite-devel >&2
    else
        echo "SQLite's headers are missing: install libsqlite3-dev, then run this again." >&2
        exit 2
    fi
fi
