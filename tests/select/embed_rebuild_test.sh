#!/bin/sh
# Edits a table and builds again: the program must print the new text. Then adds a table: it must be listed.
set -eu
cmake=$1 compiler=$2
repo=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tuned"
printf 'old\n' >"$work/tuned/fake.sm_90.txt"
cat >"$work/main.cc" <<'END'
#include <cstdio>
#include "select/op.hh"
int main() {
  for (const auto& table : batchlas::select::embedded_tables())
    std::printf("%.*s %.*s", int(table.file.size()), table.file.data(), int(table.text.size()), table.text.data());
}
END
cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(embed_rebuild LANGUAGES CXX ASM)
set(CMAKE_CXX_STANDARD 20)
include("$repo/cmake/embed_tables.cmake")
add_executable(show main.cc)
target_include_directories(show PRIVATE "$repo/src" "$repo/include")
batchlas_embed_tables(show)
END
build() { "$cmake" --build "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
expect() {
  got=$("$work/build/show")
  [ "$got" = "$1" ] || { echo "got: $got"; echo "expected: $1"; exit 1; }
}
"$cmake" -S "$work" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
build
expect 'fake.sm_90.txt old'
sleep 1 # make compares whole seconds on some file systems
printf 'new\n' >"$work/tuned/fake.sm_90.txt"
build
expect 'fake.sm_90.txt new'
printf 'more\n' >"$work/tuned/fake.cpu.txt"
build
expect 'fake.cpu.txt more
fake.sm_90.txt new'
