#!/usr/bin/env python3
"""Summarises result files of batchlas_bench: geometric means, worst cells, size cliffs.

bench_summary.py FILE... [--count N]
Reads JSON lines. Ratios are the paired ones of each run: rival / auto (above 1: faster than the vendor) and auto / copy.
"""
import argparse
import json
import math
import sys
from collections import defaultdict

RANGES = [(1, 32), (33, 64), (65, 128), (129, 512)]
SMALL_BATCHES = (1, 16, 128)
CLIFF = 1.35


def read(paths):
    """Every arm line of the files."""
    arms = []
    for path in paths:
        with open(path) as file:
            for number, text in enumerate(file, 1):
                try:
                    line = json.loads(text)
                except ValueError as error:
                    sys.exit(f"{path}:{number}: {error}")
                if "run" not in line:
                    arms.append(line)
    return arms


def cell_of(arm):
    """What identifies a cell, as a hashable value."""
    return (arm["op"], arm["dtype"], tuple(sorted(arm["keys"].items())), arm["pad"])


def geomean(values):
    values = [v for v in values if v is not None and v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def group_of(arm):
    """'n <= 32, saturated' of an arm, or None outside the ranges. The standard small batches are groups of their own."""
    n, batch = arm.get("n"), arm.get("batch")
    if n is None:
        return None
    for low, high in RANGES:
        if low <= n <= high:
            size = f"n {low}..{high}"
            break
    else:
        return None
    return (size, f"batch {batch}" if batch in SMALL_BATCHES else "large batch")


def choice_of(arms, cell):
    return next((a["arm"] for a in arms[cell] if a["is_auto_choice"]), "?")


def describe(arm):
    keys = " ".join(f"{k}={v}" for k, v in arm["keys"].items())
    return f"{arm['dtype']} {keys}" + (f" ld=n+{arm['pad']}" if arm["pad"] else "")


def groups_table(autos):
    """Lines of geometric means per scalar, range and batch, at ld = n."""
    groups = defaultdict(list)
    for auto in autos:
        group = group_of(auto)
        if group and auto["pad"] == 0:
            groups[(auto["dtype"],) + group].append(auto)
    lines = [f"{'dtype':<8} {'range':<11} {'batch':<12} {'cells':>5} {'rival/auto':>10} {'worst':>6} "
             f"{'auto/copy':>9} {'worst':>6}"]
    for (dtype, size, batch), members in sorted(groups.items(), key=lambda item: order(item[0])):
        rival = [a["ratio_rival"] for a in members if a["ratio_rival"] is not None]
        copy = [a["ratio_copy"] for a in members if a["ratio_copy"] is not None]
        show = lambda value: "-" if value is None else f"{value:.2f}"
        lines.append(f"{dtype:<8} {size:<11} {batch:<12} {len(members):>5} {show(geomean(rival)):>10} "
                     f"{show(min(rival, default=None)):>6} {show(geomean(copy)):>9} {show(max(copy, default=None)):>6}")
    return lines


def order(group):
    dtype, size, batch = group
    dtypes = ["float", "double", "cfloat", "cdouble"]
    number = int(batch.split()[1]) if batch.startswith("batch") else 0
    return (number, int(size[2:].split("..")[0]), dtypes.index(dtype) if dtype in dtypes else 9)


def slow_choices(arms, autos, tolerance=1.03):
    """Cells where auto is more than 3 % slower than the best candidate: (auto / best, auto line, best candidate)."""
    found = []
    for auto in autos:
        timed = [a for a in arms[cell_of(auto)] if a["kind"] == "candidate" and a["ms"] is not None]
        if not timed or auto["ms"] is None:
            continue
        best = min(timed, key=lambda a: a["ms"])
        if auto["ms"] > tolerance * best["ms"]:
            found.append((auto["ms"] / best["ms"], auto, best["arm"]))
    return sorted(found, key=lambda item: -item[0])


def cliffs(autos):
    """Steps n -> n + 1 of auto where the time grows by more than 1.35 x the bytes: (growth / bytes, dtype, n, ...)."""
    by_n = defaultdict(dict)
    for auto in autos:
        if auto.get("n") is None or auto["ms"] is None or auto.get("batch") in SMALL_BATCHES:
            continue
        others = tuple(sorted((k, v) for k, v in auto["keys"].items() if k not in ("n", "batch")))
        by_n[(auto["op"], auto["dtype"], others, auto["pad"])][auto["n"]] = auto
    found, steps = [], 0
    for (op, dtype, others, pad), cells in by_n.items():
        for n, here in cells.items():
            there = cells.get(n + 1)
            if there is None:
                continue
            steps += 1
            size = lambda cell: cell["n"] ** 2 * cell.get("batch", 1)
            step = (there["ms"] / here["ms"]) / (size(there) / size(here))
            if step > CLIFF:
                found.append((step, dtype, n, n + 1, " ".join(f"{k}={v}" for k, v in others)))
    return sorted(found, reverse=True), steps


def summary(lines, count=10):
    arms = defaultdict(list)
    for line in lines:
        arms[cell_of(line)].append(line)
    autos = [line for line in lines if line["kind"] == "auto"]
    text = groups_table(autos)
    measured = [a for a in autos if a["ratio_rival"] is not None]
    text += ["", f"worst of {len(measured)} cells against the rival:"]
    for auto in sorted(measured, key=lambda a: a["ratio_rival"])[:count]:
        text.append(f"  {auto['ratio_rival']:6.2f} x  {describe(auto)}  {choice_of(arms, cell_of(auto))}")
    slow = slow_choices(arms, autos)
    text += ["", f"cells where auto is over 3 % behind the best candidate: {len(slow)}"]
    for ratio, auto, best in slow[:count]:
        text.append(f"  {ratio:6.2f} x  {describe(auto)}  {choice_of(arms, cell_of(auto))}, best {best}")
    found, steps = cliffs(autos)
    text += ["", f"size cliffs (time over {CLIFF} x bytes from n to n + 1): {len(found)} of {steps} steps"]
    for step, dtype, before, after, others in found[:count]:
        text.append(f"  {step:6.2f}   {dtype} {others} n={before} -> {after}")
    residuals = [a["residual"] for a in lines if a["kind"] in ("auto", "candidate") and a["residual"] is not None]
    if residuals:
        text += ["", f"largest residual: {max(residuals):.3g} (bound 30)"]
    warned = {cell_of(a): a["warnings"] for a in lines if a["warnings"]}
    text += ["", f"cells with warnings: {len(warned)} of {len(arms)}"]
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--count", type=int, default=10, help="most lines of each list")
    arguments = parser.parse_args()
    try:
        print("\n".join(summary(read(arguments.files), arguments.count)))
    except OSError as error:
        sys.exit(f"bench_summary.py: {error}")


if __name__ == "__main__":
    main()
