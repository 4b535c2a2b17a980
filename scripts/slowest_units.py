#!/usr/bin/env python3
"""Prints the slowest compilations of the builds at hand; fails where a file written by hand takes over 90 seconds.

Usage: slowest_units.py [BUILD-FOLDER...]    default: every build/*/
"""

import glob
import os
import sys

LIMIT_S = 90
SHOWN = 10
ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def seconds_by_object(log):
    """Object file -> seconds of its last compilation, from a .ninja_log."""
    seconds = {}
    with open(log) as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) >= 5 and fields[3].endswith(".o"):
                seconds[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return seconds


def hand_written(path):
    """True where the object's source lies in the repository and not in the build folder."""
    folder, _, rest = path.partition("CMakeFiles/")
    source = rest.partition(".dir/")[2][:-len(".o")]
    return os.path.isfile(os.path.join(ROOT, folder, source))


def main():
    folders = sys.argv[1:] or sorted(glob.glob(os.path.join(ROOT, "build/*/")))
    failed = False
    for folder in folders:
        log = os.path.join(folder, ".ninja_log")
        if not os.path.isfile(log):
            continue
        seconds = seconds_by_object(log)
        slowest = sorted(seconds.items(), key=lambda entry: -entry[1])
        print("%s: %d compilations, %.0f s in sum; the slowest:" % (os.path.relpath(folder), len(seconds),
                                                                   sum(seconds.values())))
        for path, took in slowest[:SHOWN]:
            print("  %6.1f s  %s" % (took, path))
        over = [path for path, took in slowest if took > LIMIT_S]
        for path in over:
            print("  over %d s: %s%s" % (LIMIT_S, path, "" if hand_written(path) else " (generated)"))
        failed = failed or any(map(hand_written, over))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
