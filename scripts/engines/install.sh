#!/usr/bin/env bash
# Installs what the engines of tests are built with, and a browser for the tests of the page, where that is ours to do: as
# root, on a system with apt. It never fails and never waits for long: without it tests still run; those that need an engine
# that is not there are skipped and say so.
set -uo pipefail
export DEBIAN_FRONTEND=noninteractive
readonly PATIENCE=300
readonly APT=(-qq -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o DPkg::Lock::Timeout=60)

# Elasticsearch needs Java 21 to 25, OpenSearch any from 11 to 23; Debian 12 has 17 alone, Debian 13 has 21 and 25.
java_of() {
  local home
  for home in "${JAVA_HOME:-/nowhere}" /usr/lib/jvm/*; do
    [ -x "$home/bin/javac" ] && grep -qsE "^JAVA_VERSION=\"($1)[.\"]" "$home/release" && return
  done
  return 1
}

# Installs the first package that can be had of those that will do.
install_one_of() {
  local package
  for package in "$@"; do
    if timeout "$PATIENCE" apt-get install -y "${APT[@]}" --no-install-recommends "$package" >/dev/null 2>&1; then
      echo "engines: $package installed"
      return
    fi
  done
  echo "engines: none of $* can be installed; what needs it is left out"
}

wanted=()
command -v mvn >/dev/null || wanted+=("maven")
java_of '21|22|23|24|25' || wanted+=("openjdk-21-jdk-headless openjdk-25-jdk-headless")
java_of '1[1-9]|2[0-3]' || wanted+=("openjdk-21-jdk-headless default-jdk-headless")
command -v chromium >/dev/null || command -v google-chrome >/dev/null || wanted+=("chromium" "fonts-noto-cjk")
if [ ${#wanted[@]} -eq 0 ]; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "engines: not ours to install, so that what needs one of these is left out: ${wanted[*]}"
  exit 0
fi
timeout "$PATIENCE" apt-get update "${APT[@]}" >/dev/null 2>&1 || echo "engines: the list of packages cannot be read anew"
for choices in "${wanted[@]}"; do
  # shellcheck disable=SC2086
  install_one_of $choices
done
exit 0
