# Sourced by the recipes: builds what they need; says so and ends well where a tool is missing.
source "$(dirname "${BASH_SOURCE[0]}")/../setup.sh"

skip() {
    echo "skipped: $*"
    exit 0
}

needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed"
    done
}

# A Python package, in an environment of its own in this repository's build folder.
python_with() {
    needs python3
    local package=$1
    shift
    local place=.build/recipes-python/$package
    python="$PWD/$place/bin/python"
    [ -x "$python" ] || python3 -m venv "$place" >/dev/null 2>&1 ||
        skip "python3 can't make an environment (python3-venv)"
    "$python" -m pip show -q "$package" >/dev/null 2>&1 ||
        { echo "Installing $package (pip, into $place)." >&2 &&
            "$python" -m pip install -q --disable-pip-version-check "$@" "$package" >&2; } ||
        skip "pip can't install $package"
}

build_recipes() {
    swift build --package-path Examples/Recipes --scratch-path .build/recipes >&2
    recipes="$(swift build --package-path Examples/Recipes --scratch-path .build/recipes \
        --show-bin-path)/Recipes"
}

# The command; SCENESTORE_COMMAND names one that is built already.
build_command() {
    scenestore=${SCENESTORE_COMMAND:-}
    if [ -z "$scenestore" ]; then
        swift build --product scenestore >&2
        scenestore="$(swift build --show-bin-path)/scenestore"
    fi
}

work=$(mktemp -d)
cleanup() { rm -rf "$work"; }
trap 'cleanup' EXIT
