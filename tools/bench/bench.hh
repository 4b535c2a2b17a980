// The benchmark as a function, so that `batchlas bench` and the program batchlas_bench are one.
#pragma once

/// argv[1] is the op. Returns the exit code: 0, or 2 where the arguments are wrong, 1 where a cell could not
/// be measured.
int bench_main(int argc, char** argv);
