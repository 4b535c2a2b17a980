"""NumPy files and Cholesky factors without NumPy, so that the tests run on a bare machine."""

import cmath
import itertools
import math
import random
import struct

FORMATS = {"<f4": "f", "<f8": "d", "<c8": "ff", "<c16": "dd", "<i4": "i"}
EPSILON = {"<f4": 2.0**-23, "<f8": 2.0**-52, "<c8": 2.0**-23, "<c16": 2.0**-52}


def is_complex(descr):
    return descr in ("<c8", "<c16")


def header(descr, shape, fortran=False, version=1, text=None):
    """The bytes before the elements."""
    if text is None:
        text = "{'descr': %r, 'fortran_order': %s, 'shape': %r, }" % (descr, fortran, tuple(shape))
    prefix = 10 if version == 1 else 12
    text += " " * (63 - (prefix + len(text)) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode("latin1")


def pack(descr, values):
    if is_complex(descr):
        values = [part for z in map(complex, values) for part in (z.real, z.imag)]
    return struct.pack("<%d%s" % (len(values), FORMATS[descr][0]), *values)


def element_order(shape, fortran):
    """Indexes into the C-order elements, in the order in which the file holds them."""
    axes = [[i * math.prod(shape[d + 1:]) for i in range(extent)] for d, extent in enumerate(shape)]
    if fortran:
        axes.reverse()
    return [sum(parts) for parts in itertools.product(*axes)]


def write(path, descr, shape, values, fortran=False, version=1):
    order = element_order(shape, fortran)
    with open(path, "wb") as file:
        file.write(header(descr, shape, fortran, version) + pack(descr, [values[i] for i in order]))


def read(path):
    """(descr, shape, flat list of values) of a C-order file."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = struct.unpack("<H", data[8:10])[0]
    fields = eval(data[10:10 + length], {"__builtins__": {}})
    assert (10 + length) % 64 == 0 and not fields["fortran_order"]
    code = FORMATS[fields["descr"]]
    body = data[10 + length:]
    values = list(struct.unpack("<%d%s" % (len(body) // struct.calcsize("<" + code[0]), code[0]), body))
    if is_complex(fields["descr"]):
        values = [complex(values[i], values[i + 1]) for i in range(0, len(values), 2)]
    return fields["descr"], fields["shape"], values


def round_to(descr, value):
    return struct.unpack("<f", struct.pack("<f", value))[0] if descr in ("<f4", "<c8") else value


def random_spd(descr, n, seed):
    """A row-major Hermitian positive definite matrix, rounded to the element type."""
    rng = random.Random(seed)

    def draw():
        return complex(rng.uniform(-1, 1), rng.uniform(-1, 1) if is_complex(descr) else 0.0)

    g = [[draw() for _ in range(n)] for _ in range(n)]
    a = [[sum(g[i][k] * g[j][k].conjugate() for k in range(n)) + (n if i == j else 0) for j in range(n)]
         for i in range(n)]
    for i in range(n):
        for j in range(i + 1):
            a[i][j] = complex(round_to(descr, a[i][j].real), round_to(descr, a[i][j].imag) if i != j else 0.0)
            a[j][i] = a[i][j].conjugate()
    flat = [z for row in a for z in row]
    return flat if is_complex(descr) else [z.real for z in flat]


def cholesky(a, n):
    """The lower factor of a row-major Hermitian matrix, as numpy.linalg.cholesky gives it."""
    lower = [0j] * (n * n)
    for j in range(n):
        d = a[j * n + j].real - sum(abs(lower[j * n + k]) ** 2 for k in range(j))
        lower[j * n + j] = cmath.sqrt(d)
        for i in range(j + 1, n):
            s = a[i * n + j] - sum(lower[i * n + k] * lower[j * n + k].conjugate() for k in range(j))
            lower[i * n + j] = s / lower[j * n + j]
    return lower


def conjugate_transpose(a, n):
    return [complex(a[j * n + i]).conjugate() for i in range(n) for j in range(n)]
