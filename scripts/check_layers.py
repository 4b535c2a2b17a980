#!/usr/bin/env python3
"""Fails on an include that crosses rooms against the import rule (ARCHITECTURE.md).

Usage: check_layers.py [ROOT]
"""

import os
import re
import sys

# What the files of a room may include, beside their own room.
ALLOWED = {
    "include": set(),
    "base": {"include"},
    "device": {"include", "base"},
    "select": {"include", "base"},
    "tile": {"include", "base", "device"},
    "lanes": {"include", "base"},
    "vendor": {"include", "base", "device"},
    "ops": {"include", "base", "device", "select", "tile", "lanes", "vendor", "ops.def"},
    "verify": {"include", "base"},
    "tools": {"include", "verify", "ops.def"},
    "examples": {"include", "verify"},
    "python": {"include", "verify", "ops.def"},
    "tests": {"include", "verify", "ops.def"},
}
SRC_ROOMS = ("base", "device", "select", "tile", "lanes", "vendor", "ops")
TOP_ROOMS = ("include", "src", "verify", "tools", "examples", "python", "tests")
SHARED_BY_OPS = ("common", "")  # src/ops/common, and files directly in src/ops
STD_ONLY = ("include", "base")

# Headers of GPU toolkits, and the only folders that may name them.
GPU_HEADERS = (
    (re.compile(r"^(cuda|cu(blas|solver|sparse|rand|fft)|cub/|thrust/|nv|cooperative_groups|mma\.h)", re.I),
     ("src/device/cuda", "src/vendor/cusolver", "src/vendor/cublas", "src/vendor/cusparse", "include/batchlas/cuda.hh",
      "tools/bench/cuda", "tests/device/cuda")),
    (re.compile(r"^(hip|roc)", re.I), ("src/device/hip",)),
)

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCES = (".hh", ".cc", ".cu", ".h", ".def")


def room_of_file(path):
    """(room, op) of a file named from the root; op is set inside src/ops/<op>/ alone."""
    parts = path.split("/")
    if parts[0] == "src":
        op = parts[2] if parts[1] == "ops" and len(parts) > 3 else None
        return parts[1], op
    return parts[0], None


def allowed_for(path, root):
    """(rooms, ops) that a file may include; ops is None where every op's folder may be seen."""
    room, op = room_of_file(path)
    rooms = ALLOWED[room] | {room}
    if room == "ops":
        # Files directly in src/ops gather the ops; an op sees itself and what ops share.
        return rooms, ({op, *SHARED_BY_OPS} if op else None)
    if room == "tests":
        # A test sees the room it tests, and what that room sees.
        tested = path.split("/")[1:-1]
        if tested[:1] == ["ops"] and len(tested) > 1:
            tested = tested[1:]
        for name in tested[:1]:
            if name == "ops":
                return rooms | {"ops"} | ALLOWED["ops"], None
            if name == "benchmarks":
                return rooms | set(SRC_ROOMS), None
            if name in SRC_ROOMS:
                return rooms | {name} | ALLOWED[name], set()
            if os.path.isdir(os.path.join(root, "tools", name)):
                return rooms | {"tools"}, set()
            if os.path.isdir(os.path.join(root, "src/ops", name)):
                return rooms | {"ops"} | ALLOWED["ops"], {name, *SHARED_BY_OPS}
    return rooms, set()


def target_of(include, path, root):
    """(room, op) of a quoted include, or None where no room is meant."""
    if include == "ops/ops.def":
        return "ops.def", None
    folder = os.path.dirname(path)
    while "/" in folder or folder in TOP_ROOMS:
        if os.path.isfile(os.path.join(root, folder, include)):
            return room_of_file(os.path.normpath(os.path.join(folder, include)))
        folder = os.path.dirname(folder)
    tested = os.path.dirname(path).split("/")
    if tested[0] == "tests" and os.path.isfile(os.path.join(root, "tools", *tested[1:2], include)):
        return "tools", None
    first = include.split("/")[0]
    if include.startswith("batchlas/verify/"):
        return "verify", None
    if first == "batchlas":
        return "include", None
    if first in SRC_ROOMS and "/" in include:
        return room_of_file("src/" + include)
    return None


def violations_of(path, root):
    """(line, include, reason) of every forbidden include of one file."""
    room, _ = room_of_file(path)
    if room not in ALLOWED:
        yield 1, path, "is in no known room"
        return
    rooms, ops = allowed_for(path, root)
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        lines = file.readlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, angled = match.groups()
        include = quoted or angled
        gpu = [folders for pattern, folders in GPU_HEADERS if pattern.match(include)]
        target = target_of(include, path, root) if quoted else None
        if gpu and not target:
            if not any((path + "/").startswith(folder + "/") for folder in gpu[0]):
                yield number, include, "only %s may name this toolkit" % ", ".join(gpu[0])
        elif angled and include.startswith(tuple(SRC_ROOMS + ("batchlas",))) and "/" in include:
            yield number, include, "the library's own headers are quoted"
        elif angled:
            if room in STD_ONLY and ("/" in include or include.endswith(".h")):
                yield number, include, "%s includes the standard library alone" % room
        elif ".." in include.split("/"):
            yield number, include, "write the path from src/ or from the file's own folder"
        elif not target:
            yield number, include, "belongs to no known room"
        elif target[0] not in rooms:
            yield number, include, "%s may not include %s" % (room, target[0])
        elif target[0] == "ops" and ops is not None and (target[1] or "") not in ops:
            yield number, include, "another op is used through include/batchlas/ops alone"


def sources(root):
    for top in TOP_ROOMS:
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "build", "__pycache__")))
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith(SOURCES):
                    yield path


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    count = bad = 0
    for path in sources(root):
        count += 1
        for line, include, reason in violations_of(path, root):
            bad += 1
            print("%s:%d: %s: %s" % (path, line, include, reason))
    if count == 0:
        sys.exit("check_layers: no sources under %s" % root)
    print("check_layers: %d files, %d forbidden includes" % (count, bad))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
