#!/usr/bin/env bash
# Compares figures of the library's size and cost with the committed ones, Scripts/ratchet/figures.txt:
# what an app links, the least app's bytes and the compiler's work for it, what each walk asks of
# SQLite and of the store's lock, and the largest cycle of files. No figure depends on how busy the
# machine is. Prints all of them, and exits with 1 if one rose. Compares the libraries' public API with
# the committed list, Scripts/ratchet/api.txt, too: prints what differs, and exits with 1.
#   Scripts/ratchet.sh             builds the least app anew, for release
#   Scripts/ratchet.sh --text      only the figures that the sources themselves give, in seconds
#   Scripts/ratchet.sh --write     writes all figures, higher ones too, and the API, into the files
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
exec python3 Scripts/ratchet/ratchet.py "$@"
