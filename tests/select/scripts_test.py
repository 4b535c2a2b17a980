#!/usr/bin/env python3
"""Runs scripts/check_tuned_tables.py and scripts/route_diff.sh on good and bad files."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "scripts"

HEADER = "# op=fake device=sm_90 batchlas=0 kernels=0 date=2026-01-01\n# keys: dtype:exact uplo:exact n:log:3\n"
ROW = "dtype=float uplo=L n=8 | tiny 1.0 | lpanel:panel=8 2.0 # deep\n"


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class CheckTunedTables(unittest.TestCase):
    def check(self, text, name="fake.sm_90.txt"):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / name
            path.write_text(text, encoding="utf-8")
            return run(sys.executable, SCRIPTS / "check_tuned_tables.py", path)

    def test_accepts_good_tables(self):
        self.assertEqual(self.check(HEADER + ROW), (0, "1 tables, 0 problems\n"))
        code, output = run(sys.executable, SCRIPTS / "check_tuned_tables.py", HERE / "fixtures")
        self.assertEqual((code, output), (0, "2 tables, 0 problems\n"))

    def test_names_file_and_line(self):
        bad = {
            "dtype=half uplo=L n=8 | tiny 1": "expected float, double",
            "dtype=float n=8 uplo=L | tiny 1": "expected dtype= uplo= n=",
            "dtype=float uplo=L n=0 | tiny 1": "expected an integer from 1",
            "dtype=float uplo=L n=9": "no candidates",
            "dtype=float uplo=L n=9 | tiny": "expected <candidate> <ms>",
            "dtype=float uplo=L n=9 | lpanel:8 1": "expected <candidate> <ms>",
            "dtype=float uplo=L n=9 | tiny x": "expected milliseconds",
            "dtype=float uplo=L n=9 | tiny 0": "expected positive",
            "dtype=float uplo=L n=9 | tiny 1 | tiny 2": "tiny twice",
            "dtype=float uplo=L n=9 | tiny 1 | cta -": "expected all or none",
            "dtype=float uplo=L n=9 | tiny -": "untimed row",
            "dtype=float uplo=L n=9 | tiny 2 | cta 1": "expected ascending",
            "dtype=float uplo=L n=8 | tiny 1": "twice",
            "dtype=float uplo=L n=4 | tiny 1": "expected rows sorted",
            "dtype=float uplo=L n=9 | tiny 1 # guessed": "tier guessed",
        }
        for row, message in bad.items():
            code, output = self.check(HEADER + ROW + row + "\n")
            self.assertEqual(code, 1, row)
            self.assertRegex(output, r"fake\.sm_90\.txt:4: .*" + message, row)

    def test_ties_of_three_percent_may_be_in_any_order(self):
        self.assertEqual(self.check(HEADER + "dtype=float uplo=L n=8 | blocked 14.10 | vendor 13.74\n")[0], 0)

    def test_headers(self):
        for text, message in {
            ROW: "no header",
            HEADER: "no rows",
            HEADER.replace("op=fake", "op=other") + ROW: "op=other, expected op=fake",
            HEADER.replace(" kernels=0", "") + ROW: "no kernels=",
            HEADER.replace("2026-01-01", "today") + ROW: "expected YYYY-MM-DD",
            HEADER.replace("n:log:3", "n:lin") + ROW: "keys, expected dtype:exact",
            HEADER.replace("uplo:exact n:log:3", "n:log uplo:exact") + ROW: "exact keys before log keys",
        }.items():
            code, output = self.check(text)
            self.assertEqual(code, 1, text)
            self.assertIn(message, output)

    def test_file_name(self):
        self.assertIn("file name", self.check(HEADER + ROW, "fake.txt")[1])
        self.assertIn("file name", self.check(HEADER + ROW, "fake.xpu.txt")[1])


class RouteDiff(unittest.TestCase):
    COLUMNS = "op,dtype,keys,outcome,chosen_algo,chosen_origin,table\n"

    def diff(self, old, new):
        with tempfile.TemporaryDirectory() as directory:
            paths = [pathlib.Path(directory) / name for name in ("old.csv", "new.csv")]
            for path, text in zip(paths, (old, new)):
                path.write_text(self.COLUMNS + text, encoding="utf-8")
            return run("sh", SCRIPTS / "route_diff.sh", *paths)

    def test_alike_whatever_order_repeats_and_tables(self):
        a, b = "potrf,float,n=1,reached,tiny,native,sm_90\n", "potrf,float,n=2,miss,,,\n"
        code, output = self.diff(a + b + a, b + a.replace("sm_90", '"sm_90, pin native"'))
        self.assertEqual((code, output), (0, "2 alike, 0 changed, 0 only old, 0 only new\n"))

    def test_lists_what_differs(self):
        code, output = self.diff(
            "potrf,float,n=1,reached,tiny,native,sm_90\npotrf,float,n=3,reached,tiny,native,sm_90\n",
            "potrf,float,n=1,reached,vendor,vendor,sm_90\npotrf,float,n=2,miss,,,\n",
        )
        self.assertEqual(code, 1)
        self.assertIn("changed   potrf,float,n=1  reached,tiny,native  ->  reached,vendor,vendor", output)
        self.assertIn("only old  potrf,float,n=3", output)
        self.assertIn("only new  potrf,float,n=2", output)
        self.assertIn("0 alike, 1 changed, 1 only old, 1 only new", output)

    def test_usage(self):
        self.assertEqual(run("sh", SCRIPTS / "route_diff.sh", "/nonexistent", "/nonexistent")[0], 2)


if __name__ == "__main__":
    unittest.main()
