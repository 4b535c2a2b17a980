"""The compiler refuses every wrong line of cases.cc, for the stated reason. Usage: check.py COMPILER INCLUDE-FOLDER"""

import os
import re
import subprocess
import sys
import unittest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.cc")
COMPILER = INCLUDE = None


def compile_cases(*options):
    return subprocess.run([COMPILER, "-std=c++20", "-fsyntax-only", "-fno-diagnostics-show-caret", "-I" + INCLUDE,
                           *options, SOURCE], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})


def errors_by_line(diagnostics):
    """Line of cases.cc -> the errors that it causes; an error inside a header counts for the line that led there."""
    errors = {}
    led_from = None
    for text in diagnostics.splitlines():
        here = re.match(re.escape(SOURCE) + r":(\d+):", text)
        if here and "required from here" in text:
            led_from = int(here.group(1))
        elif "error: " in text:
            line = int(here.group(1)) if here else led_from
            errors.setdefault(line, []).append(text.partition("error: ")[2])
            led_from = None
    return errors


class MustNotCompile(unittest.TestCase):
    def test_the_correct_part_compiles(self):
        result = compile_cases("-Wall", "-Wextra", "-Werror")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_wrong_line_is_refused(self):
        with open(SOURCE) as file:
            lines = file.read().splitlines()
        expected = {number: text.partition("// error: ")[2] for number, text in enumerate(lines, 1)
                    if "// error: " in text and not text.startswith("//")}
        self.assertGreater(len(expected), 10)
        result = compile_cases("-DWRONG")
        errors = errors_by_line(result.stderr)
        for number, pattern in expected.items():
            with self.subTest(line=number, text=lines[number - 1].strip()):
                self.assertIn(number, errors, "it compiles")
                self.assertRegex("\n".join(errors[number]), pattern)
        self.assertEqual(set(errors) - set(expected), set(), result.stderr)


if __name__ == "__main__":
    INCLUDE = sys.argv.pop(2)
    COMPILER = sys.argv.pop(1)
    unittest.main()
