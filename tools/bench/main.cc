// The program batchlas_bench.
#include "bench.hh"

int main(int argc, char** argv) {
  return bench_main(argc, argv);
}
