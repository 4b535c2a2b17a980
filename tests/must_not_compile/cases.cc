// Wrong uses of the public interface. Every line that ends in `// error: PATTERN` must be refused by the
// compiler with an error that matches; without WRONG the file compiles.
#include <complex>
#include <span>
#include <vector>

#include "batchlas/device_array.hh"
#include "batchlas/ops/potrf.hh"

using namespace batchlas;

void correct(Queue& queue, double* items, std::span<std::int32_t> info, Workspace workspace) {
  const MatrixView<double> A{.data = items, .rows = 4, .cols = 4, .ld = 5, .batch = 7};
  potrf(queue, A);
  potrf(queue, A, {});
  potrf(queue, A, {.uplo = Uplo::Upper, .info = info}, workspace);
  [[maybe_unused]] const MatrixView<const double> read_only = A;
}

// One case a line:
// clang-format off
#ifdef WRONG
void operands(Queue& queue, const MatrixView<double>& A, int* whole, long double* wide, double* items) {
  potrf(queue, MatrixView<const double>(A));  // error: no matching function for call to .potrf
  potrf(queue, A.broadcast(8));  // error: no matching function for call to .potrf
  potrf(queue, MatrixView<int>{.data = whole, .rows = 4, .cols = 4});  // error: no matching function for call to .potrf
  potrf(queue, MatrixView<long double>{.data = wide, .rows = 4, .cols = 4});  // error: no matching function for call to .potrf
  potrf(queue, items, 4, 4);  // error: no matching function for call to .potrf
  const MatrixView<double> by_position{items, 4, 4, 4};  // error: invalid conversion
  const MatrixView<double> misspelled{.data = items, .row = 4};  // error: no non-static data member named .row
  const MatrixView<const double> read_only = A;
  const MatrixView<double> writable = read_only;  // error: conversion from
}

void options(Queue& queue, const MatrixView<double>& A, Workspace workspace, std::vector<std::int64_t>& wide_info) {
  potrf(queue, A, {.uplo = 'L'});  // error: no matching function for call to .potrf
  potrf(queue, A, {.uplo = 1});  // error: no matching function for call to .potrf
  potrf(queue, A, {.upol = Uplo::Upper});  // error: no matching function for call to .potrf
  potrf(queue, A, {.info = wide_info});  // error: no matching function for call to .potrf
  potrf(queue, A, workspace, {});  // error: no matching function for call to .potrf
}

void ownership(Queue& queue, DeviceArray<double>& doubles, DeviceArray<float>& floats) {
  Queue other_queue = queue;  // error: use of deleted function
  DeviceArray<double> other_array = doubles;  // error: use of deleted function
  DeviceArray<std::vector<double>> vectors(Device::cpu(), 4);  // error: static assertion failed
  copy(queue, doubles.span(), floats.span());  // error: no matching function for call to .copy
}
#endif
