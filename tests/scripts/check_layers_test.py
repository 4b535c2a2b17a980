"""scripts/check_layers.py sees every forbidden include, and none that is allowed."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts")
sys.path.insert(0, SCRIPTS)
import check_layers  # noqa: E402

# Headers that exist in the planted tree, so that includes resolve as in a checkout.
HEADERS = [
    "include/batchlas/queue.hh", "include/batchlas/ops/gemm.hh", "src/base/text.hh", "src/device/group.hh",
    "src/select/select.hh", "src/tile/panel.hh", "src/lanes/simd.hh", "src/vendor/cublas/gemm.hh",
    "src/ops/ops.def", "src/ops/common/entry.hh", "src/ops/gemm/choice.hh", "src/ops/gemm/kernels/tiny.hh", "src/ops/potrf/choice.hh",
    "src/ops/potrf/kernels/tiny.hh", "verify/include/batchlas/verify/check.hh", "tools/cli/run.hh", "tests/support.hh",
]

FORBIDDEN = [
    ("include/batchlas/a.hh", '"base/text.hh"'), ("include/batchlas/a.hh", "<cuda_runtime.h>"),
    ("include/batchlas/a.hh", "<fmt/format.h>"), ("include/batchlas/a.hh", "<unistd.h>"),
    ("src/base/a.cc", '"device/group.hh"'), ("src/base/a.cc", '"select/select.hh"'),
    ("src/base/a.cc", "<fmt/format.h>"),
    ("src/device/a.hh", '"select/select.hh"'), ("src/device/a.hh", '"tile/panel.hh"'),
    ("src/device/a.hh", "<cuda_runtime.h>"), ("src/device/host/a.hh", "<cuda_runtime_api.h>"),
    ("src/device/cuda/a.hh", "<hip/hip_runtime.h>"), ("src/device/hip/a.hh", "<cuda_runtime.h>"),
    ("src/select/a.cc", '"device/group.hh"'), ("src/select/a.cc", '"ops/potrf/choice.hh"'),
    ("src/select/a.cc", '"ops/ops.def"'),
    ("src/tile/a.hh", '"select/select.hh"'), ("src/tile/a.hh", '"ops/potrf/kernels/tiny.hh"'),
    ("src/tile/a.hh", '"vendor/cublas/gemm.hh"'), ("src/tile/a.hh", "<cuda_fp16.h>"),
    ("src/lanes/a.hh", '"device/group.hh"'), ("src/lanes/a.hh", '"tile/panel.hh"'),
    ("src/vendor/cublas/a.cc", '"select/select.hh"'), ("src/vendor/lapack/a.cc", "<cublas_v2.h>"),
    ("src/vendor/cublas/a.cc", '"ops/potrf/choice.hh"'),
    ("src/ops/potrf/potrf.cc", '"ops/gemm/choice.hh"'), ("src/ops/potrf/kernels/b.hh", '"ops/gemm/kernels/tiny.hh"'),
    ("src/ops/potrf/kernels/b.hh", '"../../gemm/kernels/tiny.hh"'), ("src/ops/potrf/potrf.cc", "<cusolverDn.h>"),
    ("src/ops/potrf/potrf.cc", '"batchlas/verify/check.hh"'), ("src/ops/potrf/kernels/b.hh", "<mma.h>"),
    ("verify/src/a.cc", '"select/select.hh"'), ("verify/src/a.cc", '"ops/potrf/choice.hh"'),
    ("verify/src/a.cc", '"device/group.hh"'),
    ("tools/cli/a.cc", '"select/select.hh"'), ("tools/cli/a.cc", '"ops/potrf/choice.hh"'),
    ("tools/cli/a.cc", "<cuda_runtime.h>"), ("tools/cli/a.cc", "<batchlas/queue.hh>"),
    ("tools/cli/a.cc", '"../../src/base/text.hh"'), ("tools/cli/a.cc", '"nowhere.hh"'),
    ("examples/a.cc", '"base/text.hh"'), ("python/a.cc", '"ops/potrf/choice.hh"'),
    ("tests/potrf/a.cc", '"ops/gemm/choice.hh"'), ("tests/select/a.cc", '"device/group.hh"'),
    ("tests/lanes/a.cc", '"ops/potrf/choice.hh"'), ("tests/select/a.cc", '"run.hh"'),
    ("tests/cli/a.cc", '"base/text.hh"'),
    ("src/ops/common/a.hh", '"ops/potrf/choice.hh"'), ("src/new_room/a.cc", "<vector>"),
]

ALLOWED = [
    ("include/batchlas/a.hh", '"batchlas/queue.hh"'), ("include/batchlas/cuda.hh", "<cuda_runtime_api.h>"),
    ("src/base/a.cc", "<vector>"), ("src/base/a.cc", '"batchlas/queue.hh"'),
    ("src/device/cuda/a.hh", "<cuda_runtime.h>"), ("src/device/hip/a.hh", "<hip/hip_runtime.h>"),
    ("src/device/host/a.hh", "<boost/context/fiber.hpp>"), ("src/device/a.cc", '"base/text.hh"'),
    ("src/select/a.cc", '"base/text.hh"'), ("src/tile/a.hh", '"device/group.hh"'),
    ("src/lanes/a.hh", "<hwy/highway.h>"), ("src/vendor/cublas/a.cc", "<cublas_v2.h>"),
    ("src/vendor/cublas/a.cc", '"device/group.hh"'),
    ("src/ops/potrf/potrf.cc", '"choice.hh"'), ("src/ops/potrf/potrf.cc", '"ops/potrf/choice.hh"'),
    ("src/ops/potrf/potrf.cc", '"batchlas/ops/gemm.hh"'), ("src/ops/potrf/potrf.cc", '"vendor/cublas/gemm.hh"'),
    ("src/ops/potrf/kernels/b.hh", '"tile/panel.hh"'), ("src/ops/list.cc", '"ops/potrf/choice.hh"'),
    ("src/ops/potrf/potrf.cc", '"ops/common/entry.hh"'), ("src/ops/common/a.cc", '"ops/common/entry.hh"'),
    ("src/ops/list.cc", '"ops/ops.def"'), ("tests/ops/a.cc", '"ops/common/entry.hh"'), ("verify/src/a.cc", '"batchlas/verify/check.hh"'),
    ("verify/src/a.cc", '"base/text.hh"'), ("tools/cli/ops/a.cc", '"run.hh"'), ("tools/cli/a.cc", '"ops/ops.def"'),
    ("tools/bench/cuda/a.cc", "<cusolverDn.h>"), ("examples/a.cc", '"batchlas/ops/gemm.hh"'),
    ("tests/potrf/a.cc", '"ops/potrf/kernels/tiny.hh"'), ("tests/potrf/a.cc", '"support.hh"'),
    ("tests/ops/potrf/a.cc", '"ops/potrf/choice.hh"'), ("tests/select/a.cc", '"select/select.hh"'),
    ("tests/cli/a.cc", '"run.hh"'), ("tests/device/a.cc", '"device/group.hh"'), ("tests/benchmarks/a.cc", '"select/select.hh"'),
]


class CheckLayers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = folder.name
        for header in HEADERS:
            cls.write(header, "")

    @classmethod
    def write(cls, path, text):
        full = os.path.join(cls.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w") as file:
            file.write(text)

    def violations(self, path, include):
        self.write(path, "#include %s\n" % include)
        try:
            return [(name, line, found) for name in check_layers.sources(self.root)
                    for line, found, _ in check_layers.violations_of(name, self.root)]
        finally:
            os.remove(os.path.join(self.root, path))

    def test_forbidden(self):
        for path, include in FORBIDDEN:
            with self.subTest(path=path, include=include):
                found = self.violations(path, include)
                self.assertEqual([(name, line) for name, line, _ in found], [(path, 1)])

    def test_allowed(self):
        for path, include in ALLOWED:
            with self.subTest(path=path, include=include):
                self.assertEqual(self.violations(path, include), [])

    def test_exit_codes(self):
        def code(root):
            script = os.path.join(SCRIPTS, "check_layers.py")
            return subprocess.run([sys.executable, script, root], capture_output=True).returncode

        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(code(root), 1, "an empty tree is an error")
            os.makedirs(os.path.join(root, "src/base"))
            path = os.path.join(root, "src/base/a.cc")
            for text, expected in (("#include <vector>\n", 0), ('#include "select/select.hh"\n', 1)):
                with open(path, "w") as file:
                    file.write(text)
                self.assertEqual(code(root), expected)


if __name__ == "__main__":
    unittest.main()
