#!/usr/bin/env bash
# Installs what the engines of tests are built with, and a browser for the tests of the page, where that is ours to do: as
# root, on a system with apt. Without it tests still run; those that need an engine that is not there are skipped and say so.
set -euo pipefail
missing=()
command -v mvn >/dev/null || missing+=(maven)
command -v javac >/dev/null || missing+=(default-jdk-headless)
command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing+=(chromium fonts-noto-cjk)
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "engines: ${missing[*]} not installed, and not ours to install; what needs them is left out"
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || echo "engines: the list of packages cannot be read anew"
for package in "${missing[@]}"; do
  apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
    echo "engines: $package cannot be installed; what needs it is left out"
done
