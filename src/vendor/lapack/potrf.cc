#include "vendor/lapack/potrf.hh"

#include <lapacke.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "batchlas/scalar.hh"
#include "batchlas/status.hh"

extern "C" int openblas_get_parallel(void) __attribute__((weak));  // of OpenBLAS alone

namespace batchlas::inline v0::vendor {
namespace {

/// True where LAPACK threads an item of order n by itself, from whatever thread calls: OpenBLAS built on
/// pthreads, from n = 64 on. Several callers at once then wait for its one pool of threads (50 times the time
/// at n = 96), so items go one after another.
bool threads_items(std::int64_t n) {
  constexpr int built_on_pthreads = 1;
  return n >= 64 && openblas_get_parallel && openblas_get_parallel() == built_on_pthreads;
}

lapack_int factor(char uplo, lapack_int n, float* a, lapack_int ld) {
  return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, uplo, n, a, ld);
}
lapack_int factor(char uplo, lapack_int n, double* a, lapack_int ld) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, uplo, n, a, ld);
}
lapack_int factor(char uplo, lapack_int n, std::complex<float>* a, lapack_int ld) {
  return LAPACKE_cpotrf_work(LAPACK_COL_MAJOR, uplo, n, reinterpret_cast<lapack_complex_float*>(a), ld);
}
lapack_int factor(char uplo, lapack_int n, std::complex<double>* a, lapack_int ld) {
  return LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, uplo, n, reinterpret_cast<lapack_complex_double*>(a), ld);
}

template <class R>
bool is_positive_finite(R d) {
  return d > 0 && d <= std::numeric_limits<R>::max();
}

/// One triangle of one item in memory.
template <class T>
struct Triangle {
  T* data;
  std::int64_t n, ld;
  Uplo uplo;

  /// Element (i, k), k <= i, of the lower triangle; for Upper of the conjugate's, which lies at (k, i).
  T& operator()(std::int64_t i, std::int64_t k) const {
    return data[uplo == Uplo::Lower ? k * ld + i : i * ld + k];
  }

  /// Calls f(first element, count) for each column's part.
  template <class F>
  void for_each_column(F f) const {
    for (std::int64_t j = 0; j < n; ++j) {
      if (uplo == Uplo::Lower) {
        f(data + j * ld + j, n - j);
      } else {
        f(data + j * ld, j + 1);
      }
    }
  }
};

/// Golub and Van Loan, algorithm 4.2.1; returns info. Products by hand: operator* of std::complex is Annex
/// G's.
template <class T>
std::int32_t factor_plain(const Triangle<T>& a) {
  using R = Real<T>;
  for (std::int64_t j = 0; j < a.n; ++j) {
    R pivot = std::real(a(j, j));
    for (std::int64_t k = 0; k < j; ++k) pivot -= std::norm(a(j, k));
    if (!is_positive_finite(pivot)) {
      a(j, j) = T(pivot);
      return static_cast<std::int32_t>(j + 1);
    }
    const R root = std::sqrt(pivot);
    a(j, j) = T(root);
    for (std::int64_t i = j + 1; i < a.n; ++i) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) {
        const T x = a(i, k), y = a(j, k);
        if constexpr (is_complex<T>) {
          sum -= T(x.real() * y.real() + x.imag() * y.imag(), x.imag() * y.real() - x.real() * y.imag());
        } else {
          sum -= x * y;
        }
      }
      a(i, j) = sum / root;
    }
  }
  return 0;
}

template <class T>
std::int32_t factor_item(const Triangle<T>& a, std::vector<T>& saved) {
  if constexpr (is_complex<T>)
    for (std::int64_t j = 0; j < a.n; ++j) a(j, j) = T(a(j, j).real());
  T* save = saved.data();
  a.for_each_column([&](const T* column, std::int64_t count) { save = std::copy_n(column, count, save); });
  bool good =
      factor(letter(a.uplo), static_cast<lapack_int>(a.n), a.data, static_cast<lapack_int>(a.ld)) == 0;
  for (std::int64_t j = 0; good && j < a.n; ++j) good = is_positive_finite(std::real(a(j, j)));
  if (good) return 0;
  const T* restore = saved.data();
  a.for_each_column([&](T* column, std::int64_t count) {
    std::copy_n(restore, count, column);
    restore += count;
  });
  return factor_plain(a);
}

/// The order of square item b, or -1 where its extents are out of range or differ.
template <class T>
std::int64_t square_extent(const MatrixView<T>& A, std::int64_t b) {
  const std::int64_t rows = A.item_rows ? A.item_rows[b] : A.rows;
  const std::int64_t cols = A.item_cols ? A.item_cols[b] : A.cols;
  return rows == cols && rows >= 0 && rows <= A.rows && cols <= A.cols ? rows : -1;
}

}  // namespace

bool lapack_available() {
  return true;
}

template <class T>
void lapack_potrf(const MatrixView<T>& A, Uplo uplo, std::int32_t* info) {
  const std::int64_t ld = A.leading_dimension();
  if (ld > std::numeric_limits<lapack_int>::max())
    throw NoRouteError("potrf: ld = " + std::to_string(ld) + " exceeds LAPACK's integers");
  const double n = static_cast<double>(A.rows);
  const double total_ns = (is_complex<T> ? 2 : 1) * (100 + n * n * n / 20) * static_cast<double>(A.batch);
  constexpr double worth_ns =
      10000;                   // entering a parallel region costs 1 to 3 us, more once its threads sleep
  std::exception_ptr failure;  // out of memory; an exception must not leave the region
#pragma omp parallel if (A.batch > 1 && total_ns > worth_ns && !threads_items(A.rows))
  try {
    std::vector<T> saved(static_cast<std::size_t>(A.rows * (A.rows + 1) / 2));
#pragma omp for schedule(static) nowait
    for (std::int64_t b = 0; b < A.batch; ++b) {
      const std::int64_t order = square_extent(A, b);
      std::int32_t result = order < 0 ? -2 : 0;
      if (order > 0)
        result = factor_item(
            Triangle<T>{A.pointers ? A.pointers[b] : A.data + b * A.item_stride(), order, ld, uplo}, saved);
      if (info) info[b] = result;
    }
  } catch (...) {
#pragma omp critical
    failure = std::current_exception();
  }
  if (failure) std::rethrow_exception(failure);
}

#define BATCHLAS_INSTANTIATE(T) template void lapack_potrf<T>(const MatrixView<T>&, Uplo, std::int32_t*);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

}  // namespace batchlas::inline v0::vendor
