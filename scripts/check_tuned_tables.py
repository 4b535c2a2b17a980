#!/usr/bin/env python3
"""Offline checks of tuned/<op>.<device>.txt: names, header, keys, order, times.

    check_tuned_tables.py [file or directory ...]      (default: tuned/ of this repository)

Prints file:line messages and exits with 1 where something is wrong. Candidates are checked by the library's own
loader (tests/tuned_tables_tests), which knows the lists; here their spelling must merely be well formed.
"""

import itertools
import math
import pathlib
import re
import sys

DTYPES = ["float", "double", "cfloat", "cdouble"]
FILE_NAME = re.compile(r"([a-z0-9_]+)\.([a-z0-9_]+)\.txt")
DEVICE = re.compile(r"cpu(_[a-z0-9_]+)?|sm_\d+[a-z]?|gfx[0-9a-f]+|intel_[a-z0-9_]+")
KEY = re.compile(r"([a-z][a-z0-9_]*):(exact|log(?::(\d+(?:\.\d+)?))?)", re.IGNORECASE)
SPELLING = re.compile(r"[a-z][a-z0-9_]*(:[a-z][a-z0-9_]*=-?(0|[1-9]\d*))*")
TIERS = {"deep", "coarse", "preview", "custom", "converted", "transcribed"}
TIE = 1.03 * 1.001  # a tie is 3 %; the rest is the rounding of the printed times


class Table:
    """One file: parse() fills problems with (line, message)."""

    def __init__(self, path):
        self.path = path
        self.problems = []
        self.fields = {}
        self.keys = None
        self.rows = []  # (line, sort key, text of the key)
        self.untimed = None
        self.has_source = False

    def fail(self, line, message):
        self.problems.append((line, message))

    def parse(self):
        name = FILE_NAME.fullmatch(self.path.name)
        if not name or not DEVICE.fullmatch(name[2]):
            self.fail(0, "file name, expected <op>.<device>.txt with device cpu, sm_<n>, gfx<n> or intel_<n>")
        for line, text in enumerate(self.path.read_text(encoding="utf-8").split("\n"), 1):
            text = text.strip()
            if text.startswith("#"):
                self.header(line, text[1:].strip())
            elif text:
                self.row(line, text)
        self.check_header(name)
        self.check_order()
        return self.problems

    def header(self, line, text):
        if text.startswith("op="):
            self.fields = dict(word.split("=", 1) for word in text.split() if "=" in word)
            self.fields["line"] = line
        elif text.startswith("source="):
            self.has_source = True
        elif text.startswith("keys:"):
            words = text[5:].split()
            parsed = [KEY.fullmatch(word) for word in words]
            if not words or words[0] != "dtype:exact" or len(words) < 2 or None in parsed:
                self.fail(line, "keys, expected dtype:exact and then <name>:exact, <name>:log or <name>:log:<weight>")
                return
            kinds = [match[2] == "exact" for match in parsed]
            if kinds != sorted(kinds, reverse=True):
                self.fail(line, "keys, expected exact keys before log keys")
            if len({match[1] for match in parsed}) != len(parsed):
                self.fail(line, "keys, expected each name once")
            self.keys = [(match[1], match[2] == "exact") for match in parsed]

    def check_header(self, name):
        if not self.fields:
            self.fail(1, "no header, expected # op=<op> device=<device> batchlas=<sha> kernels=<hash> date=<date>")
            return
        line = self.fields["line"]
        for field, wanted in zip(("op", "device"), name.groups() if name else ()):
            if self.fields.get(field) != wanted:
                self.fail(line, f"{field}={self.fields.get(field)}, expected {field}={wanted} as in the file name")
        for field in ("batchlas", "kernels", "date"):
            if not self.fields.get(field):
                self.fail(line, f"no {field}=, expected where the table comes from")
        if not re.fullmatch(r"\d{4}-\d\d-\d\d.*", self.fields.get("date", "0000-00-00")):
            self.fail(line, f"date={self.fields['date']}, expected YYYY-MM-DD")
        if self.keys is None and not any("keys" in message for _, message in self.problems):
            self.fail(line, "no # keys: line")
        if self.untimed and not self.has_source:
            self.fail(self.untimed, "untimed row, expected a header line # source=ledger:<file> or transcribed:<sha>")
        if not self.rows:
            self.fail(line, "no rows")

    def row(self, line, text):
        if self.keys is None:
            self.fail(line, "row before # keys:")
            return
        text, _, tier = text.partition("#")
        if tier.strip() and tier.split()[0] not in TIERS:
            self.fail(line, f"tier {tier.strip()}, expected one of {', '.join(sorted(TIERS))}")
        head, *entries = text.split("|")
        words = [word.partition("=") for word in head.split()]
        if [name for name, _, _ in words] != [name for name, _ in self.keys]:
            self.fail(line, "keys, expected " + " ".join(f"{name}=" for name, _ in self.keys))
            return
        order = []
        for (name, _, value), (_, exact) in zip(words, self.keys):
            if name == "dtype" and value not in DTYPES:
                self.fail(line, f"dtype={value}, expected {', '.join(DTYPES)}")
                return
            if not exact and not re.fullmatch(r"[1-9]\d*", value):
                self.fail(line, f"{name}={value}, expected an integer from 1")
                return
            if name == "dtype":
                order.append(DTYPES.index(value))
            else:
                order.append((0, int(value), "") if value.isdigit() else (1, 0, value))
        self.rows.append((line, order, " ".join(head.split())))
        self.entries(line, entries)

    def entries(self, line, entries):
        if not entries:
            self.fail(line, "no candidates, expected | <candidate> <ms>")
        seen, times = set(), []
        for entry in entries:
            words = entry.split()
            if len(words) != 2 or not SPELLING.fullmatch(words[0]):
                self.fail(line, f'"{entry.strip()}", expected <candidate> <ms>, spelled family:field=value')
                return
            if words[0] in seen:
                self.fail(line, f"{words[0]} twice")
            seen.add(words[0])
            try:
                times.append(None if words[1] == "-" else float(words[1]))
            except ValueError:
                self.fail(line, f"time {words[1]}, expected milliseconds or -")
                return
        timed = [time for time in times if time is not None]
        if any(not (time > 0 and math.isfinite(time)) for time in timed):
            self.fail(line, "times, expected positive numbers")
        elif timed and len(timed) != len(times):
            self.fail(line, "times, expected all or none")
        elif not timed:
            self.untimed = self.untimed or line
        for before, after in itertools.pairwise(timed):
            if after * TIE < before:
                self.fail(line, f"{before:g} ms before {after:g} ms, expected ascending times apart from ties of 3 %")

    def check_order(self):
        for (_, before, text), (line, after, again) in itertools.pairwise(self.rows):
            if after == before:
                self.fail(line, f"row {again} twice")
            elif after < before:
                self.fail(line, f"row {again} after {text}, expected rows sorted by their keys")


def files_of(arguments):
    for argument in arguments:
        path = pathlib.Path(argument)
        yield from sorted(path.glob("*.txt")) if path.is_dir() else [path]


def main(arguments):
    default = pathlib.Path(__file__).resolve().parent.parent / "tuned"
    count = failures = 0
    for path in files_of(arguments or [default]):
        count += 1
        for line, message in sorted(Table(path).parse()):
            failures += 1
            print(f"{path}:{line}: {message}")
    print(f"{count} tables, {failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
