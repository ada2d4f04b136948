#!/usr/bin/env bash
# Index this repository and ask it three questions: in English, Turkish and Chinese. Wants `citewell` on the PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
ask() {
  printf '\n> citewell ask "%s"\n\n' "$1"
  citewell ask "$1"
}
citewell sync
ask "How do I add citewell to an MCP client?"
ask "Gizli belgeler arama sonuçlarını neden etkilemez?"
ask "同步过程中进程被强制终止会怎样？"
