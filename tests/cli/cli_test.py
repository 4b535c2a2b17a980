"""The command line on good and bad input. Usage: cli_test.py PATH-OF-batchlas [unittest options]"""

import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

import npy

PROGRAM = None
DESCRS = ("<f4", "<f8", "<c8", "<c16")


class CliCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, **options)

    def potrf(self, a="A.npy", out="L.npy", *more, device="cpu", **options):
        return self.call("run", "potrf", "--a", self.path(a), "--out", self.path(out), "--device", device, *more,
                         **options)

    def assert_refused(self, result, *expected):
        """Exit 2 and one line on stderr that holds every expected text."""
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("batchlas: error: "), result.stderr)
        for text in expected:
            self.assertIn(text, result.stderr)

    def assert_only_files(self, *names):
        """No output and no temporary file is left."""
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))


class GoodInput(CliCase):
    def check_factors(self, descr, n, batch, uplo="L", fortran=False, version=1, flat=False, device="cpu"):
        items = [npy.random_spd(descr, n, seed=7 * b + n) for b in range(batch)]
        shape = (n, n) if flat else (batch, n, n)
        npy.write(self.path("A.npy"), descr, shape, [z for item in items for z in item], fortran, version)
        result = self.potrf("A.npy", "L.npy", "--uplo", uplo, "--info", self.path("info.npy"), device=device)
        self.assertEqual(result.returncode, 0, result.stderr)
        got_descr, got_shape, got = npy.read(self.path("L.npy"))
        self.assertEqual((got_descr, got_shape), (descr, shape))
        self.assertEqual(npy.read(self.path("info.npy")), ("<i4", (batch,), [0] * batch))
        tolerance = 8 * n * npy.EPSILON[descr]
        for b, item in enumerate(items):
            want = npy.cholesky(item, n)
            if uplo == "U":
                want = npy.conjugate_transpose(want, n)
            scale = max(abs(z) for z in want)
            for i in range(n):
                for j in range(n):
                    value = got[b * n * n + i * n + j]
                    if j > i if uplo == "L" else j < i:
                        self.assertEqual(value, 0)
                    else:
                        self.assertLessEqual(abs(value - want[i * n + j]), tolerance * scale, (b, i, j))
        self.assert_only_files("A.npy", "L.npy", "info.npy")

    def test_every_type_order_and_triangle(self):
        for descr in DESCRS:
            for uplo in "LU":
                for fortran in (False, True):
                    with self.subTest(descr=descr, uplo=uplo, fortran=fortran):
                        self.setUp()
                        self.check_factors(descr, 5, 3, uplo, fortran)

    def test_versions_2_and_3(self):
        for version in (2, 3):
            with self.subTest(version=version):
                self.setUp()
                self.check_factors("<f8", 4, 2, version=version)

    def test_a_single_matrix_is_a_batch_of_one(self):
        self.check_factors("<c16", 6, 1, flat=True)

    def test_a_single_matrix_in_fortran_order(self):
        self.check_factors("<c8", 6, 1, flat=True, fortran=True)

    def test_order_one(self):
        self.check_factors("<f8", 1, 9)

    def test_larger_items(self):
        self.check_factors("<f8", 40, 2)

    def test_host_executor(self):
        self.check_factors("<c8", 9, 2, device="host:sm_90")

    def test_only_the_named_triangle_counts(self):
        n, a = 4, npy.random_spd("<f8", 4, 1)
        poisoned = [a[i * n + j] if j <= i else math.nan for i in range(n) for j in range(n)]
        npy.write(self.path("A.npy"), "<f8", (1, n, n), poisoned)
        self.assertEqual(self.potrf().returncode, 0)
        for got, want in zip(npy.read(self.path("L.npy"))[2], npy.cholesky(a, n)):
            self.assertAlmostEqual(got, want.real, delta=1e-13)

    def test_empty_batches(self):
        for shape in ((0, 4, 4), (3, 0, 0)):
            with self.subTest(shape=shape):
                npy.write(self.path("A.npy"), "<f8", shape, [])
                result = self.potrf("A.npy", "L.npy", "--info", self.path("info.npy"))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(npy.read(self.path("L.npy")), ("<f8", shape, []))
                self.assertEqual(npy.read(self.path("info.npy"))[2], [0] * shape[0])

    def test_output_replaces_the_input(self):
        a = npy.random_spd("<f8", 3, 2)
        npy.write(self.path("A.npy"), "<f8", (3, 3), a)
        os.chmod(self.path("A.npy"), 0o640)
        self.assertEqual(self.potrf("A.npy", "A.npy").returncode, 0)
        self.assertAlmostEqual(npy.read(self.path("A.npy"))[2][0], math.sqrt(a[0]))
        self.assertEqual(os.stat(self.path("A.npy")).st_mode & 0o777, 0o640)
        self.assert_only_files("A.npy")

    def test_failed_items_are_counted_and_the_others_written(self):
        n, batch, bad = 3, 40, set(range(5, 29, 2))
        items = [npy.random_spd("<f8", n, b) for b in range(batch)]
        for b in bad:
            items[b][4] = -1.0
        items[2][0] = math.nan
        npy.write(self.path("A.npy"), "<f8", (batch, n, n), [z for item in items for z in item])
        result = self.potrf("A.npy", "L.npy", "--info", self.path("info.npy"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("13 of 40 items failed", result.stderr)
        self.assertIn("item 2 (info 1), item 5 (info 2)", result.stderr)
        self.assertIn("and 3 more", result.stderr)
        info = npy.read(self.path("info.npy"))[2]
        self.assertEqual(info, [1 if b == 2 else 2 if b in bad else 0 for b in range(batch)])
        factors = npy.read(self.path("L.npy"))[2]
        for b in range(batch):
            item = factors[b * 9:b * 9 + 9]
            self.assertEqual([item[1], item[2], item[5]], [0, 0, 0])
            if info[b]:
                self.assertTrue(all(math.isnan(item[k]) for k in (0, 3, 4, 6, 7, 8)))
            else:
                self.assertAlmostEqual(item[0], math.sqrt(items[b][0]))


class BadFiles(CliCase):
    def refuse(self, *expected, a="A.npy", **options):
        result = self.potrf(a, **options)
        self.assert_refused(result, *expected)
        self.assertFalse(os.path.exists(self.path("L.npy")))
        return result

    def write_bytes(self, data):
        with open(self.path("A.npy"), "wb") as file:
            file.write(data)

    def write_header(self, text):
        self.write_bytes(npy.header("<f8", (1, 1, 1), text=text) + bytes(8))

    def test_missing(self):
        self.refuse("A.npy", "No such file")

    def test_folder(self):
        os.mkdir(self.path("A.npy"))
        self.refuse("A.npy", "not a regular file")

    def test_empty_and_tiny(self):
        for size in (0, 9):
            self.write_bytes(b"\x93NUMPY\x01\x00\x76"[:size])
            self.refuse("A.npy", "not an .npy file", "%d bytes" % size)

    def test_wrong_magic(self):
        self.write_bytes(b"PK\x03\x04" + bytes(200))
        self.refuse("A.npy", "not an .npy file", "NUMPY")

    def test_unknown_version(self):
        self.write_bytes(b"\x93NUMPY\x04\x00" + bytes(200))
        self.refuse("A.npy", "version 4.0", "expected 1.0, 2.0 or 3.0")

    def test_truncated_at_every_place(self):
        whole = npy.header("<f8", (2, 2, 2)) + bytes(64)
        for size in (10, 11, 60, 127, 128, 190):
            with self.subTest(size=size):
                self.write_bytes(whole[:size])
                self.refuse("A.npy", "is truncated")

    def test_truncated_elements_name_both_sizes(self):
        self.write_bytes(npy.header("<f8", (2, 2, 2)) + bytes(56))
        self.refuse("A.npy", "(2, 2, 2)", "needs 64 bytes", "holds 56")

    def test_bytes_after_the_elements(self):
        self.write_bytes(npy.header("<f8", (2, 2, 2)) + bytes(65))
        self.refuse("A.npy", "needs 64 bytes", "holds 65")

    def test_header_that_is_no_dictionary(self):
        for text in ("", "{", "[]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 1, 1)}",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (1, -1, 1)}",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1.5, 1)}",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), 'more': 'x'}",
                     "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1)}",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1)} x",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1 1)}",
                     "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1, 1)}"):
            with self.subTest(text=text):
                self.write_header(text)
                self.refuse("A.npy", "not a valid .npy file")

    def test_structured_element_type(self):
        self.write_header("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1, 1, 1), }")
        self.refuse("A.npy", "structured element type", "'<f8'")

    def test_element_types_that_are_not_served(self):
        for descr in ("<i8", "<f2", "|u1", "<U4", "|O", "=f8"):
            with self.subTest(descr=descr):
                self.write_bytes(npy.header(descr, (1, 1, 1)) + bytes(8))
                self.refuse("A.npy", "'%s'" % descr, "expected one of '<f4', '<f8', '<c8', '<c16'")

    def test_big_endian(self):
        self.write_bytes(npy.header(">f8", (1, 1, 1)) + bytes(8))
        self.refuse("A.npy", "big-endian '>f8'", "little-endian")

    def test_rank(self):
        for shape in ((), (4,), (1, 1, 2, 2)):
            with self.subTest(shape=shape):
                npy.write(self.path("A.npy"), "<f8", shape, [1.0] * (math.prod(shape)))
                self.refuse("A.npy", str(tuple(shape)), "expected (batch, n, n) or (n, n)")

    def test_not_square(self):
        for shape in ((2, 3, 4), (3, 4)):
            with self.subTest(shape=shape):
                npy.write(self.path("A.npy"), "<f8", shape, [1.0] * math.prod(shape))
                self.refuse("A.npy", str(shape), "expected (batch, n, n) or (n, n)")

    def test_shape_past_64_bits(self):
        self.write_bytes(npy.header("<f8", (1 << 40, 1 << 20, 1 << 20)))
        self.refuse("A.npy", "too large")

    def test_too_large_for_the_memory(self):
        batch, n = 1 << 21, 1024  # 16 TiB less the header, as a sparse file
        head = npy.header("<f8", (batch, n, n))
        self.write_bytes(head)
        try:
            os.truncate(self.path("A.npy"), len(head) + batch * n * n * 8)
        except OSError:
            batch = 1 << 18
            head = npy.header("<f8", (batch, n, n))
            self.write_bytes(head)
            try:
                os.truncate(self.path("A.npy"), len(head) + batch * n * n * 8)
            except OSError as error:
                self.skipTest("no sparse file of 2 TiB here: %s" % error)
        self.refuse("A.npy", "too large for the memory", "TiB", "GiB are available")

    def test_unreadable(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        npy.write(self.path("A.npy"), "<f8", (1, 1, 1), [1.0])
        os.chmod(self.path("A.npy"), 0)
        self.refuse("A.npy", "Permission denied")


class BadOutputs(CliCase):
    def setUp(self):
        super().setUp()
        npy.write(self.path("A.npy"), "<f8", (1, 2, 2), [4.0, 0, 0, 4.0])

    def test_missing_folder(self):
        self.assert_refused(self.potrf("A.npy", "none/L.npy"), "none/L.npy", "cannot be written", "No such file")
        self.assert_only_files("A.npy")

    def test_output_is_a_folder(self):
        os.mkdir(self.path("L.npy"))
        self.assert_refused(self.potrf(), "L.npy", "not a regular file")
        self.assert_only_files("A.npy", "L.npy")

    def test_info_cannot_be_written(self):
        result = self.potrf("A.npy", "L.npy", "--info", self.path("none/info.npy"))
        self.assert_refused(result, "none/info.npy", "cannot be written")
        self.assert_only_files("A.npy")

    def test_both_outputs_are_one_file(self):
        result = self.potrf("A.npy", "L.npy", "--info", self.path("L.npy"))
        self.assert_refused(result, "L.npy", "--info", "--out")
        self.assert_only_files("A.npy")

    def test_read_only_output(self):
        if os.geteuid() == 0:
            self.skipTest("root writes everything")
        npy.write(self.path("L.npy"), "<f8", (1,), [0.0])
        os.chmod(self.path("L.npy"), 0o444)
        self.assert_refused(self.potrf(), "L.npy", "Permission denied")

    def test_a_full_disk_leaves_the_old_output(self):
        """A file size limit stands for the full disk."""
        n, batch = 16, 64
        npy.write(self.path("A.npy"), "<f8", (batch, n, n), npy.random_spd("<f8", n, 3) * batch)
        with open(self.path("L.npy"), "w") as file:
            file.write("old")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        self.assert_refused(self.potrf(preexec_fn=limit), "L.npy", "cannot be written")
        self.assert_only_files("A.npy", "L.npy")
        with open(self.path("L.npy")) as file:
            self.assertEqual(file.read(), "old")

    def test_failed_input_leaves_the_old_output(self):
        with open(self.path("L.npy"), "w") as file:
            file.write("old")
        os.remove(self.path("A.npy"))
        self.assert_refused(self.potrf(), "A.npy")
        with open(self.path("L.npy")) as file:
            self.assertEqual(file.read(), "old")
        self.assert_only_files("L.npy")


class BadWords(CliCase):
    def setUp(self):
        super().setUp()
        npy.write(self.path("A.npy"), "<f8", (1, 2, 2), [4.0, 0, 0, 4.0])

    def explain(self, *words):
        return self.call("explain", *words)

    def test_no_verb_and_unknown_verb(self):
        self.assert_refused(self.call())
        self.assert_refused(self.call("frobnicate"), "frobnicate")

    def test_unknown_op(self):
        self.assert_refused(self.explain("potrv", "n=4"), "'potrv'", "potrf")
        self.assert_refused(self.call("run", "potrv", "--a", "x"), "'potrv'", "potrf")
        self.assert_refused(self.call("run"), "no op", "potrf")

    def test_missing_option(self):
        self.assert_refused(self.call("run", "potrf", "--a", self.path("A.npy")), "--out")

    def test_unknown_option(self):
        self.assert_refused(self.potrf("A.npy", "L.npy", "--upol", "L"), "--upol")

    def test_uplo(self):
        self.assert_refused(self.potrf("A.npy", "L.npy", "--uplo", "X"), "--uplo", "'X'", "L, U")
        self.assert_only_files("A.npy")

    def test_unknown_device(self):
        self.assert_refused(self.potrf(device="tpu"), "device", "'tpu'", "cpu")
        self.assert_refused(self.potrf(device="cuda:99"), "device", "'cuda:99'")
        self.assert_refused(self.explain("potrf", "dtype=float", "n=4", "batch=1", "device=sm_1"), "'sm_1'", "sm_90")
        self.assert_only_files("A.npy")

    def test_unknown_pin(self):
        self.assert_refused(self.potrf("A.npy", "L.npy", "--pin", "fastest"), "fastest", "vendor")
        self.assert_only_files("A.npy")

    def test_pin_of_the_environment(self):
        result = self.potrf(env={**os.environ, "BATCHLAS_POTRF_ROUTE": "native:cta"})
        self.assert_refused(result, "native:cta", "BATCHLAS_POTRF_ROUTE")

    def test_keys(self):
        self.assert_refused(self.explain("potrf", "dtype=float", "n=4", "batch=1", "m=3"), "'m'", "batch")
        self.assert_refused(self.explain("potrf", "dtype=float", "batch=1"), "n")
        self.assert_refused(self.explain("potrf", "dtype=half", "n=4", "batch=1"), "dtype", "half", "cdouble")
        self.assert_refused(self.explain("potrf", "dtype=float", "n=four", "batch=1"), "n", "four")
        self.assert_refused(self.explain("potrf", "dtype=float", "n=0", "batch=1"), "n", "0")
        self.assert_refused(self.explain("potrf", "dtype=float", "uplo=Q", "n=4", "batch=1"), "uplo", "Q")

    def test_words_that_are_no_facts(self):
        for word in ("n", "n=", "=4"):
            self.assert_refused(self.explain("potrf", "dtype=float", word), "'%s'" % word, "key=value")
        self.assert_refused(self.explain("potrf", "n=4", "n=5"), "'n'", "twice")
        self.assert_refused(self.explain("potrf", "device=cpu", "device=cpu"), "'device'", "twice")


class Reports(CliCase):
    def test_help_and_version(self):
        for arguments in (["--help"], ["run", "--help"], ["run", "potrf", "--help"], ["explain", "--help"]):
            result = self.call(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("Usage:", result.stdout)
        self.assertRegex(self.call("--version").stdout, r"^BatchLAS \d+\.\d+\.\d+ \(tables \w+\)\n$")

    def test_devices(self):
        text = self.call("devices")
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn("cpu", text.stdout)
        devices = json.loads(self.call("devices", "--json").stdout)
        self.assertEqual(devices[-1]["device"], "cpu")
        self.assertGreater(devices[-1]["memory_bytes"], 0)

    def test_explain(self):
        for device in ("cpu", "sm_90"):
            words = ("potrf", "dtype=float", "uplo=L", "n=64", "batch=8192", "device=" + device)
            text = self.call("explain", *words)
            self.assertEqual(text.returncode, 0, text.stderr)
            page = json.loads(self.call("explain", *words, "--json").stdout)
            self.assertEqual((page["op"], page["dtype"], page["device"]), ("potrf", "float", device))
            chosen = [c for c in page["candidates"] if c["chosen"]]
            self.assertEqual([c["spelling"] for c in chosen], [page["choice"]])
            self.assertEqual(chosen[0]["refusal"], "")
            self.assertIn(page["choice"], text.stdout)

    def test_explain_under_a_pin(self):
        page = json.loads(self.call("explain", "potrf", "dtype=double", "n=8", "batch=64", "device=cpu", "--pin",
                                    "vendor", "--json").stdout)
        self.assertEqual(page["choice"], "vendor")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
