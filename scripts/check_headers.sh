#!/usr/bin/env bash
# Every public header compiles alone, with no include path but include/. Usage: check_headers.sh [COMPILER]
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=${1:-g++}
mapfile -t headers < <(cd include && find batchlas -name '*.hh' ! -name cuda.hh | sort)
[ "${#headers[@]}" -gt 0 ] || { echo "check_headers: no headers under include/" >&2; exit 1; }

failed=0
for header in "${headers[@]}"; do
  # Twice, so that a missing guard shows.
  printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
    "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Iinclude -x c++ - || failed=1
done
echo "check_headers: ${#headers[@]} headers, $([ "$failed" = 0 ] && echo 'each compiles alone' || echo 'not all compile alone')"
exit "$failed"
