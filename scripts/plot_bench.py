#!/usr/bin/env python3
"""Draws result files of batchlas_bench as an SVG: time or rate against n, auto coloured by its choice, beside the rival
and the copy.

plot_bench.py FILE... -o potrf.svg [--y gflops|gbs|ms|ratio_rival|ratio_copy] [--uplo L]
One panel a scalar; only cells at ld = n and outside batch 1, 16, 128 unless --batch says which.
"""
import argparse
import math
import sys
from html import escape

from bench_summary import SMALL_BATCHES, cell_of, read

COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e"]
LABELS = {"gflops": "GFLOP/s", "gbs": "GB/s", "ms": "ms", "ratio_rival": "speed over the rival", "ratio_copy": "time over a copy"}
WIDTH, HEIGHT, MARGIN = 460, 300, 48


def ticks(low, high):
    """1-2-5 values within the range."""
    values = []
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        values += [m * 10.0**power for m in (1, 2, 5)]
    return [v for v in values if low <= v <= high]


class Panel:
    def __init__(self, x0, y0, xs, ys):
        pad = lambda values: (min(values) / 1.08, max(values) * 1.15)
        self.x0, self.y0 = x0, y0
        self.x_range, self.y_range = pad(xs), pad(ys)

    @staticmethod
    def place(value, bounds):
        low, high = map(math.log, bounds)
        return (math.log(value) - low) / (high - low)

    def x(self, n):
        return self.x0 + MARGIN + self.place(n, self.x_range) * (WIDTH - MARGIN - 12)

    def y(self, value):
        return self.y0 + HEIGHT - MARGIN - self.place(value, self.y_range) * (HEIGHT - MARGIN - 30)

    def frame(self, title, label):
        left, right = self.x0 + MARGIN, self.x0 + WIDTH - 12
        top, bottom = self.y0 + 30, self.y0 + HEIGHT - MARGIN
        out = [f'<text x="{left}" y="{self.y0 + 20}" font-weight="bold">{escape(title)}</text>']
        for value in ticks(*self.x_range):
            x = self.x(value)
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" stroke="#eee"/>')
            out.append(f'<text x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">{value:g}</text>')
        for value in ticks(*self.y_range):
            y = self.y(value)
            out.append(f'<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>')
            out.append(f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="#888"/>')
        out.append(f'<text x="{(left + right) / 2}" y="{bottom + 32}" text-anchor="middle">n</text>')
        out.append(f'<text x="{left}" y="{top - 3}" fill="#666" font-size="10">{escape(label)}</text>')
        return out

    def curve(self, points, colour, dash=""):
        path = " ".join(f"{self.x(n):.1f},{self.y(value):.1f}" for n, value in sorted(points))
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dash}"/>'


def draw(lines, y, uplo, batches):
    def wanted(arm):
        batch = arm.get("batch")
        return (arm["pad"] == 0 and arm["keys"].get("uplo", uplo) == uplo and arm.get("n") and arm[y] is not None
                and arm[y] > 0 and (batch in batches if batches else batch not in SMALL_BATCHES))

    lines = [arm for arm in lines if wanted(arm)]
    if not lines:
        return None
    choices = {cell_of(a): a["arm"] for a in lines if a["is_auto_choice"]}
    names = sorted(set(choices.values()))
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    dtypes = [d for d in ("float", "double", "cfloat", "cdouble") if any(a["dtype"] == d for a in lines)]
    columns = min(2, len(dtypes))
    out = []
    for i, dtype in enumerate(dtypes):
        arms = [a for a in lines if a["dtype"] == dtype]
        shown = [a for a in arms if a["kind"] in ("auto", "copy") or a["is_rival"]]
        panel = Panel(i % columns * WIDTH, i // columns * HEIGHT, [a["n"] for a in shown], [a[y] for a in shown])
        out += panel.frame(f"{arms[0]['op']} {dtype}", LABELS[y])
        for kind, stroke, dash in (("rival", "#888", "5 3"), ("copy", "#bbb", "2 2")):
            points = [(a["n"], a[y]) for a in shown if a["kind"] == kind]
            if len(points) > 1:
                out.append(panel.curve(points, stroke, dash))
        autos = [a for a in shown if a["kind"] == "auto"]
        out.append(panel.curve([(a["n"], a[y]) for a in autos], "#ccc"))
        for a in autos:
            name = choices.get(cell_of(a), "?")
            out.append(f'<circle cx="{panel.x(a["n"]):.1f}" cy="{panel.y(a[y]):.1f}" r="3.2" '
                       f'fill="{colour.get(name, "#000")}"><title>{escape(name)} n={a["n"]} {a[y]:.4g}</title></circle>')
    height = (len(dtypes) + columns - 1) // columns * HEIGHT
    x, legend = MARGIN, []
    for name in names + ["- - vendor", "··· copy"]:
        legend.append(f'<circle cx="{x}" cy="{height + 12}" r="4" fill="{colour.get(name, "none")}"/>')
        legend.append(f'<text x="{x + 8}" y="{height + 16}">{escape(name)}</text>')
        x += 24 + 7 * len(name)
    size = f'width="{max(columns * WIDTH, x)}" height="{height + 28}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">',
                      '<rect width="100%" height="100%" fill="white"/>'] + out + legend + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--y", choices=LABELS, default="gbs")
    parser.add_argument("--uplo", default="L")
    parser.add_argument("--batch", type=int, nargs="*", default=[])
    arguments = parser.parse_args()
    svg = draw(read(arguments.files), arguments.y, arguments.uplo, arguments.batch)
    if svg is None:
        sys.exit("plot_bench.py: no cell to draw")
    with open(arguments.output, "w") as file:
        file.write(svg)
    print(arguments.output)


if __name__ == "__main__":
    main()
