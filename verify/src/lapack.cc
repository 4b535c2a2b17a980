// References through LAPACKE; the only file that knows it.
#include <stdexcept>

#include "batchlas/verify/item.hh"
#include "batchlas/verify/reference.hh"

#ifdef BATCHLAS_VERIFY_LAPACKE
#include <complex>
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>
#endif

namespace batchlas::verify {

#ifdef BATCHLAS_VERIFY_LAPACKE

namespace {

// The _work functions: the others look for NaNs in the input first, and return -k instead of an info.
lapack_int xpotrf(char uplo, lapack_int n, float* a, lapack_int ld) {
  return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, uplo, n, a, ld);
}
lapack_int xpotrf(char uplo, lapack_int n, double* a, lapack_int ld) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, uplo, n, a, ld);
}
lapack_int xpotrf(char uplo, lapack_int n, std::complex<float>* a, lapack_int ld) {
  return LAPACKE_cpotrf_work(LAPACK_COL_MAJOR, uplo, n, a, ld);
}
lapack_int xpotrf(char uplo, lapack_int n, std::complex<double>* a, lapack_int ld) {
  return LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, uplo, n, a, ld);
}

lapack_int xheev(lapack_int n, float* a, float* w) {
  return LAPACKE_ssyev(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
}
lapack_int xheev(lapack_int n, double* a, double* w) {
  return LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
}
lapack_int xheev(lapack_int n, std::complex<float>* a, float* w) {
  return LAPACKE_cheev(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
}
lapack_int xheev(lapack_int n, std::complex<double>* a, double* w) {
  return LAPACKE_zheev(LAPACK_COL_MAJOR, 'N', 'L', n, a, n, w);
}

}  // namespace

bool has_lapacke() {
  return true;
}

template <Scalar T>
void lapack_potrf(const MatrixView<T>& A, Uplo uplo, std::span<std::int32_t> info) {
  if (static_cast<std::int64_t>(info.size()) != A.batch)
    throw std::invalid_argument("lapack_potrf: info needs one value an item");
  for (std::int64_t b = 0; b < A.batch; ++b) {
    const Item<T> item = square_item_of(A, b);
    info[b] =
        xpotrf(letter(uplo), static_cast<lapack_int>(item.rows), item.data, static_cast<lapack_int>(item.ld));
  }
}

template <Scalar T>
std::vector<Real<T>> lapack_eigenvalues(const MatrixView<T>& A, std::int64_t b) {
  const Item<T> item = square_item_of(A, b);
  const std::int64_t n = item.rows;
  std::vector<Real<T>> values(static_cast<std::size_t>(n));
  if (n == 0) return values;
  std::vector<T> copy(static_cast<std::size_t>(n * n));
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = j; i < n; ++i) copy[j * n + i] = item(i, j);
  const lapack_int info = xheev(static_cast<lapack_int>(n), copy.data(), values.data());
  if (info != 0) throw std::runtime_error("lapack_eigenvalues: info " + std::to_string(info));
  return values;
}

#else

bool has_lapacke() {
  return false;
}

template <Scalar T>
void lapack_potrf(const MatrixView<T>&, Uplo, std::span<std::int32_t>) {
  throw std::runtime_error("lapack_potrf: batchlas_verify was built without LAPACKE");
}

template <Scalar T>
std::vector<Real<T>> lapack_eigenvalues(const MatrixView<T>&, std::int64_t) {
  throw std::runtime_error("lapack_eigenvalues: batchlas_verify was built without LAPACKE");
}

#endif

#define INSTANTIATE(T)                                                                \
  template void lapack_potrf<T>(const MatrixView<T>&, Uplo, std::span<std::int32_t>); \
  template std::vector<Real<T>> lapack_eigenvalues<T>(const MatrixView<T>&, std::int64_t);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify
