#!/bin/sh
# Compares the choices of two runs: files written through BATCHLAS_COVERAGE_OUT before and after a change.
# Calls that both runs made and that chose alike are counted; the rest is listed. Order and repeats do not matter.
# Exit status: 0 alike, 1 different, 2 usage.
set -eu
if [ $# -ne 2 ] || [ ! -r "$1" ] || [ ! -r "$2" ]; then
  echo "usage: route_diff.sh <old.csv> <new.csv>" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
for side in old new; do
  # The table tag (last column, perhaps quoted) says where a choice came from, not what it is: left out.
  awk 'NR > 1 || $0 !~ /^op,dtype,keys,/ { n = split($0, f, ","); if (n >= 6) print f[1] "," f[2] "," f[3] "\t" f[4] "," f[5] "," f[6] }' \
    "$1" | sort -u >"$work/$side"
  shift
done
awk -F '\t' '
  NR == FNR { if ($1 in old) old[$1] = old[$1] " and " $2; else old[$1] = $2; next }
  { if ($1 in new) new[$1] = new[$1] " and " $2; else new[$1] = $2 }
  END {
    for (call in old) {
      if (!(call in new)) { print "only old  " call "  " old[call]; gone++ }
      else if (old[call] == new[call]) same++
      else { print "changed   " call "  " old[call] "  ->  " new[call]; changed++ }
    }
    for (call in new) if (!(call in old)) { print "only new  " call "  " new[call]; added++ }
    printf "%d alike, %d changed, %d only old, %d only new\n", same, changed, gone, added
    exit (changed + gone + added > 0)
  }' "$work/old" "$work/new" >"$work/report" && status=0 || status=$?
sort "$work/report"
exit "$status"
