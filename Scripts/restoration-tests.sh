#!/usr/bin/env bash
# Runs the example of restoration tests: a trait for Swift Testing and a base class for XCTest.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
exec swift test --package-path Examples/RestorationTests --scratch-path .build/examples "$@"
