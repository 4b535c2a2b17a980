#!/usr/bin/env bash
# Every kernel family of src/ops compiles for AMD (float, gfx90a; nothing is run), and its kernels there are those of the
# host executor's build, by name. Usage: check_hip.sh [BUILD-FOLDER]    default: the last one built under build/
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-}
say() { printf 'check_hip: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

command -v hipcc >/dev/null || die "needs hipcc (Debian package hipcc)"
# binutils serve for both: they do not know AMD's machine, but read the names of its objects.
{ command -v nm && command -v c++filt; } >/dev/null || die "needs nm and c++filt (Debian package binutils)"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Lines "op<TAB>family<TAB>arguments", one a batchlas_kernel().
grep -h '^ *batchlas_kernel *(' src/ops/*/CMakeLists.txt >"$scratch/calls" || die "no batchlas_kernel() under src/ops"
sed -nE 's/^ *batchlas_kernel *\( *([a-z0-9_]+) +([a-z0-9_]+) +"([^"]*)" *\) *$/\1\t\2\t\3/p' "$scratch/calls" >"$scratch/families"
[ "$(wc -l <"$scratch/calls")" = "$(wc -l <"$scratch/families")" ] ||
  die "cannot read every batchlas_kernel() of src/ops/*/CMakeLists.txt: write each on one line"

# host_archive OP: the archive of the op's instantiations for the host executor.
host_archive() {
  local archive
  # shellcheck disable=SC2086,SC2012
  archive=$(ls -t ${build:-build/*}/src/ops/"$1/libbatchlas_$1_host.a" 2>/dev/null | head -n 1)
  [ -n "$archive" ] || die "no build with libbatchlas_$1_host.a: build first (./dev test)"
  printf '%s' "$archive"
}

total=0 failed=0
while IFS=$'\t' read -r op family arguments; do
  name=${op}_$family
  archive=$(host_archive "$op")
  cat >"$scratch/$name.hip" <<UNIT
#include <complex>

#include "device/hip/launch.hh"
#include "ops/$op/kernels/$family.hh"

namespace batchlas::inline v0::${op}_kernels {
template void launch_$family<device::hip::Executor, float>(const device::hip::Executor&, ${arguments//@T@/float});
}  // namespace batchlas::inline v0::${op}_kernels
UNIT
  start=$SECONDS
  if ! hipcc -x hip --offload-arch=gfx90a --cuda-device-only --no-gpu-bundle-output -std=c++20 -O1 -ffp-contract=off \
    -ferror-limit=3 -ftemplate-backtrace-limit=3 -Iinclude -Isrc -c "$scratch/$name.hip" -o "$scratch/$name.o" \
    >"$scratch/log" 2>&1 </dev/null; then
    cat "$scratch/log" >&2
    say "$name: does not compile" >&2
    failed=1
    continue
  fi
  # A kernel K is  void ...::hip::entry<K>(K, long)  there and, here,  ...::host::Executor::run<K>(..., K const&) const
  # or, where that is inlined, the lambda in it.
  nm --defined-only "$scratch/$name.o" | awk '$2 ~ /[TtWwVv]/ && $3 !~ /\.kd$/ {print $3}' | c++filt |
    sed -nE 's/^void .*::hip::entry<(.*[^ ]) ?>\(\1, .*\)$/\1/p' | sort -u >"$scratch/$name.hip.names"
  nm --defined-only "$archive" | awk -v member="${name}_float.cc.o:" 'NF == 1 {inside = $1 == member} inside && NF == 3 {print $3}' |
    c++filt | sed -nE 's/^.*::host::Executor::run<(.*[^ ]) ?>\([^<]*LaunchShape const&, \1 const&\) const.*$/\1/p' |
    sort -u >"$scratch/$name.host.names"
  count=$(wc -l <"$scratch/$name.hip.names")
  if [ ! -s "$scratch/$name.host.names" ]; then
    say "$name: no kernels in $archive" >&2
    failed=1
  elif ! cmp -s "$scratch/$name.host.names" "$scratch/$name.hip.names"; then
    say "$name: kernels differ (< $archive, > gfx90a)" >&2
    diff "$scratch/$name.host.names" "$scratch/$name.hip.names" | grep '^[<>]' >&2 || true
    failed=1
  else
    say "$name: $count kernels, $((SECONDS - start)) s"
    total=$((total + count))
  fi
done <"$scratch/families"
[ "$failed" = 0 ] || exit 1
echo "hip: $total kernels, names equal"
