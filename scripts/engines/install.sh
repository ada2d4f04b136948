#!/usr/bin/env bash
# Installs what the engines of tests are built with, where that is ours to do: as root, on a system with apt.
# Without it tests still run; those that need an engine that is not there are skipped and say so.
set -euo pipefail
missing=()
command -v mvn >/dev/null || missing+=(maven)
command -v javac >/dev/null || missing+=(default-jdk-headless)
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "engines: ${missing[*]} not installed, and not ours to install; Elasticsearch and OpenSearch are left out"
  exit 0
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  echo "engines: ${missing[*]} cannot be installed; Elasticsearch and OpenSearch are left out"
