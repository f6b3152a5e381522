#!/usr/bin/env bash
# Holds the workflows and the forms for issues against GitHub's schemas, which check-jsonschema (PyPI)
# brings, and the commands of the workflows against the shell.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=.build/workflows/bin/python
if ! "$python" -c 'import check_jsonschema' 2>/dev/null; then
    if ! python3 -m venv .build/workflows >&2 \
        || ! "$python" -m pip install --quiet check-jsonschema==0.39.0 >&2; then
        echo "skipped: check-jsonschema can't be installed"
        exit 0
    fi
fi
check() { "$python" -m check_jsonschema --builtin-schema "vendor.github-$1" "${@:2}"; }
check workflows .github/workflows/*.yml
check issue-config .github/ISSUE_TEMPLATE/config.yml
check issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
"$python" - .github/workflows/*.yml <<'END'
import subprocess, sys
from ruamel.yaml import YAML
for path in sys.argv[1:]:
    for name, job in YAML(typ="safe").load(open(path))["jobs"].items():
        for step in job["steps"]:
            if subprocess.run(["bash", "-n"], input=step.get("run", ""), text=True).returncode != 0:
                sys.exit(f"{path}: {name}: {step.get('name')}: the shell can't read its command")
END
