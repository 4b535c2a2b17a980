"""The benchmark end to end on the CPU: tiny cells, valid JSON, a table that parses.

bench_test.py BATCHLAS_BENCH
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = None
CELLS = ["--dtype", "float,cdouble", "--n", "3,8", "--batch", "1,5", "--ld", "0,3", "--uplo", "L,U"]


def bench(*arguments):
    return subprocess.run([BENCH, *map(str, arguments)], capture_output=True, text=True, timeout=250)


class EndToEnd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.result = bench("potrf", "--device", "cpu", *CELLS, "--threads", 1, "--rounds", 3, "--cell-seconds", 0.02,
                        "--json", cls.path / "r.json", "--tables", cls.path / "tuned", "--commit", "abc")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def lines(self):
        return [json.loads(text) for text in (self.path / "r.json").read_text().splitlines()]

    def test_runs(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr + self.result.stdout)
        self.assertIn("32 cells measured, 0 not", self.result.stdout)

    def test_json_has_every_cell_with_its_arms(self):
        first, *arms = self.lines()
        self.assertTrue(first["run"])
        self.assertEqual(first["device"]["key"], "cpu")
        cells = {}
        for arm in arms:
            cells.setdefault((arm["dtype"], arm["n"], arm["batch"], arm["pad"], arm["uplo"]), []).append(arm)
        self.assertEqual(len(cells), 32)
        for cell, members in cells.items():
            kinds = [arm["kind"] for arm in members]
            self.assertEqual((kinds.count("auto"), kinds.count("copy")), (1, 1), cell)
            self.assertLessEqual(sum(arm["is_rival"] for arm in members), 1)
            timed = [arm for arm in members if arm["kind"] == "candidate" and arm["ms"]]
            self.assertTrue(timed, cell)
            self.assertEqual(sum(arm["is_auto_choice"] for arm in timed), 1, cell)
            for arm in timed:
                self.assertLess(arm["residual"], 30, arm)

    def test_table_parses(self):
        table = self.path / "tuned" / "potrf.cpu.txt"
        self.assertEqual(sum(not row.startswith("#") for row in table.read_text().splitlines()), 16)
        checker = ROOT / "scripts" / "check_tuned_tables.py"
        check = subprocess.run([sys.executable, checker, table], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stdout)

    def test_table_from_the_json_is_the_same(self):
        again = bench("potrf", "--from", self.path / "r.json", "--tables", self.path / "again", "--quiet")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(*((self.path / name / "potrf.cpu.txt").read_text() for name in ("tuned", "again")))

    def test_summary_and_plot_read_it(self):
        for command in (["bench_summary.py", self.path / "r.json"],
                        ["plot_bench.py", self.path / "r.json", "--batch", 1, 5, "-o", self.path / "p.svg"]):
            run = subprocess.run([sys.executable, ROOT / "scripts" / command[0], *map(str, command[1:])],
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("</svg>", (self.path / "p.svg").read_text())


class BadInput(unittest.TestCase):
    def test_exits_with_2_and_one_line(self):
        for arguments, wanted in ((["nothing"], "potrf"), ([], "no op"), (["potrf", "--n", "0"], "n 0"),
                                  (["potrf", "--uplo", "Q"], "uplo"), (["potrf", "--dtype", "half"], "half"),
                                  (["potrf", "--device", "moon"], "moon"), (["potrf", "--from", "/none"], "/none"),
                                  (["potrf", "--json", "/none/r.json", "--n", "1", "--device", "cpu"], "/none/r.json")):
            run = bench(*arguments)
            self.assertEqual(run.returncode, 2, (arguments, run.stdout, run.stderr))
            self.assertIn(wanted, run.stderr)
            self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)

    def test_help(self):
        run = bench("potrf", "--help")
        self.assertEqual(run.returncode, 0)
        for option in ("--n", "--batch", "--uplo", "--standard"):
            self.assertIn(option, run.stdout)


if __name__ == "__main__":
    BENCH = sys.argv.pop(1)
    unittest.main()
