"""scripts/bench_summary.py and scripts/plot_bench.py on results made by hand."""
import pathlib
import sys
import unittest
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import bench_summary  # noqa: E402
import plot_bench  # noqa: E402


def arm(name, kind, n, ms, ratio_rival=None, ratio_copy=None, dtype="float", batch=1000, chosen=False, pad=0):
    return {"op": "potrf", "dtype": dtype, "keys": {"uplo": "L", "n": str(n), "batch": str(batch)}, "n": n,
            "batch": batch, "pad": pad, "arm": name, "kind": kind, "ms": ms, "ratio_rival": ratio_rival,
            "ratio_copy": ratio_copy, "gflops": 1.0, "gbs": 1.0, "residual": 0.5, "is_auto_choice": chosen,
            "is_rival": kind == "rival", "warnings": []}


def cell(n, auto_ms, ratio_rival, ratio_copy, best_ms=None, **where):
    return [arm("auto", "auto", n, auto_ms, ratio_rival, ratio_copy, **where),
            arm("tiny", "candidate", n, auto_ms, chosen=True, **where),
            arm("cta", "candidate", n, best_ms or auto_ms, **where),
            arm("rival:potrfBatched", "rival", n, auto_ms * ratio_rival, **where)]


class Summary(unittest.TestCase):
    def row(self, lines, *starts):
        found = [text.split() for text in bench_summary.summary(lines) if text.split()[:len(starts)] == list(starts)]
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_geomeans_by_range(self):
        lines = cell(8, 1.0, 4.0, 1.0) + cell(32, 1.0, 9.0, 4.0) + cell(33, 1.0, 5.0, 1.5)
        self.assertEqual(self.row(lines, "float", "n", "1..32")[-5:], ["2", "6.00", "4.00", "2.00", "4.00"])
        self.assertEqual(self.row(lines, "float", "n", "33..64")[-5:], ["1", "5.00", "5.00", "1.50", "1.50"])

    def test_small_batches_are_apart_and_padding_is_left_out(self):
        lines = cell(8, 1.0, 4.0, 1.0) + cell(8, 1.0, 2.0, 1.0, batch=16) + cell(8, 1.0, 100.0, 1.0, pad=3)
        self.assertEqual(self.row(lines, "float", "n", "1..32", "large")[-5:-3], ["1", "4.00"])
        self.assertEqual(self.row(lines, "float", "n", "1..32", "batch", "16")[-5:-3], ["1", "2.00"])

    def test_auto_behind_the_best(self):
        lines = cell(8, 1.02, 4.0, 1.0, best_ms=1.0) + cell(9, 1.1, 4.0, 1.0, best_ms=1.0)
        found = bench_summary.slow_choices(self.by_cell(lines), [a for a in lines if a["kind"] == "auto"])
        self.assertEqual([(round(ratio, 3), auto["n"], best) for ratio, auto, best in found], [(1.1, 9, "cta")])

    def test_cliffs_are_relative_to_the_bytes(self):
        # 32 -> 33 is 1.0635 times the bytes at one batch: 1.4 is within 1.35 x, 1.5 is not.
        for time, count in ((1.4, 0), (1.5, 1)):
            lines = cell(32, 1.0, 1.0, 1.0) + cell(33, time, 1.0, 1.0)
            found, steps = bench_summary.cliffs([a for a in lines if a["kind"] == "auto"])
            self.assertEqual((len(found), steps), (count, 1))

    def test_cliffs_count_the_batch(self):
        lines = cell(1, 1.0, 1.0, 1.0, batch=4000) + cell(2, 1.3, 1.0, 1.0, batch=1000)
        found, _ = bench_summary.cliffs([a for a in lines if a["kind"] == "auto"])
        self.assertEqual(found, [])

    @staticmethod
    def by_cell(lines):
        arms = {}
        for line in lines:
            arms.setdefault(bench_summary.cell_of(line), []).append(line)
        return arms


class Plot(unittest.TestCase):
    def test_draws_well_formed_svg(self):
        lines = cell(8, 1.0, 4.0, 1.0) + cell(16, 2.0, 4.0, 1.0) + cell(16, 2.0, 4.0, 1.0, dtype="cdouble")
        for y in plot_bench.LABELS:
            svg = plot_bench.draw([a for a in lines if a[y] is not None], y, "L", [])
            xml.dom.minidom.parseString(svg)
        self.assertIn("potrf cdouble", svg)

    def test_nothing_to_draw(self):
        self.assertIsNone(plot_bench.draw([], "ms", "L", []))


if __name__ == "__main__":
    unittest.main()
