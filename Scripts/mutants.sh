#!/usr/bin/env bash
# Checks that the tests find faults: plants the faults of Tests/Mutants one at a time, and runs the
# tests of the promise that each one breaks, then those of its target.
#   Scripts/mutants.sh [--target T]... [--only ID]... [--jobs N]    see --help
#   Scripts/mutants.sh --no-build --resume                          goes on after a run that was interrupted
#   Scripts/mutants.sh --check                                      every place exists exactly once
#   Scripts/mutants.sh --list
#   Scripts/mutants.sh --histories 600              whether random histories find those of histories.txt
# All faults are built in one go, each behind a switch, in a copy of the package in .build/mutants.
# Exits with 1 if fewer are caught than --score requires, or if a place is not found exactly once.
set -euo pipefail
case " $* " in
*" --check "* | *" --list "* | *" --help "*) cd "$(dirname "${BASH_SOURCE[0]}")/.." ;;
*) source "$(dirname "${BASH_SOURCE[0]}")/setup.sh" ;;
esac
exec python3 Scripts/mutants/mutants.py "$@"
