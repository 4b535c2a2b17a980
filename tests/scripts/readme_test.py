"""README shows examples/cholesky.cc as it is, and every file that the documents link to exists."""

import os
import re
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def text_of(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


class Readme(unittest.TestCase):
    def test_the_example_is_the_one_that_is_compiled(self):
        block = re.search(r"```cpp\n(.*?)```", text_of("README.md"), re.S).group(1)
        self.assertEqual(block, text_of("examples/cholesky.cc").split("\n", 1)[1])

    def test_links_lead_somewhere(self):
        for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"):
            for link in re.findall(r"\]\(([^)#]+)", text_of(name)):
                with self.subTest(document=name, link=link):
                    self.assertTrue(link.startswith("https://") or os.path.exists(os.path.join(ROOT, link)))

    def test_every_op_is_in_the_table(self):
        for op in re.findall(r"^BATCHLAS_OP\((\w+)\)", text_of("src/ops/ops.def"), re.M):
            self.assertRegex(text_of("README.md"), r"\| `%s` \|" % op)


if __name__ == "__main__":
    unittest.main()
