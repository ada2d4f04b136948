#!/usr/bin/env bash
# Build the wheel, install it into a new environment far from the checkout, and run the demo from it.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"${PYTHON:-python3}" -m venv "$place/venv"
"$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
"$place/venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$place/dist" .
"$place/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$(ls "$place"/dist/citewell-*.whl)[all]"
git ls-files -z | xargs -0 cp --parents -t "$place" 2>/dev/null || cp -r README.md docs scripts citewell.yaml src "$place"
rm -rf "$place/src/citewell.egg-info"
cd "$place"
"$place/venv/bin/python" -c "import citewell, pathlib; assert '$root' not in str(pathlib.Path(citewell.__file__))"
PATH="$place/venv/bin:$PATH" scripts/demo.sh
