// Cholesky factorization in wider precision, one column of U = L^H at a time.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "batchlas/verify/item.hh"
#include "batchlas/verify/reference.hh"
#include "wide.hh"

namespace batchlas::verify {

namespace {

using detail::Wide;
using detail::WideReal;

template <class T>
Wide<T> upper_element(const Item<T>& A, Uplo uplo, std::int64_t i, std::int64_t j) {
  return uplo == Uplo::Upper ? detail::widen(A(i, j)) : detail::conjugate(detail::widen(A(j, i)));
}

/// u(i, j) = (a(i, j) - sum_k conj(u(k, i)) u(k, j)) / u(i, i), k < i, for i < j.
template <class T>
Wide<T> eliminated(Wide<T> a, const Wide<T>* ui, const Wide<T>* uj, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) a -= detail::product(detail::conjugate(ui[k]), uj[k]);
  return a;
}

/// Writes rows [0, valid) of the factor, which U holds by columns.
template <class T>
void store(const std::vector<Wide<T>>& U, const Item<T>& A, Uplo uplo, std::int64_t valid) {
  const std::int64_t n = A.rows;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i <= j && i < valid; ++i) {
      const T value = detail::narrow<T>(U[j * n + i]);
      if (uplo == Uplo::Upper)
        A(i, j) = value;
      else
        A(j, i) = detail::conjugate(value);
    }
}

/// Row by row, so that on a failure the rows above it are complete.
template <class T>
std::int32_t factor(const Item<T>& A, Uplo uplo, std::vector<Wide<T>>& U) {
  const std::int64_t n = A.rows;
  U.assign(static_cast<std::size_t>(n * n), {});
  for (std::int64_t i = 0; i < n; ++i) {
    const Wide<T>* const ui = &U[i * n];
    const WideReal<T> wide_pivot = std::real(eliminated<T>(std::real(A(i, i)), ui, ui, i));
    const auto pivot = static_cast<Real<T>>(wide_pivot);
    if (!(pivot > 0 && pivot <= std::numeric_limits<Real<T>>::max())) {
      store(U, A, uplo, i);
      return static_cast<std::int32_t>(i + 1);
    }
    const WideReal<T> root = std::sqrt(wide_pivot);
    U[i * n + i] = root;
    for (std::int64_t j = i + 1; j < n; ++j)
      U[j * n + i] = eliminated<T>(upper_element(A, uplo, i, j), ui, &U[j * n], i) / root;
  }
  store(U, A, uplo, n);
  return 0;
}

}  // namespace

template <Scalar T>
void reference_potrf(const MatrixView<T>& A, Uplo uplo, std::span<std::int32_t> info) {
  if (static_cast<std::int64_t>(info.size()) != A.batch)
    throw std::invalid_argument("reference_potrf: info needs one value an item");
  std::vector<Wide<T>> U;
  for (std::int64_t b = 0; b < A.batch; ++b) info[b] = factor(square_item_of(A, b), uplo, U);
}

#define INSTANTIATE(T) template void reference_potrf<T>(const MatrixView<T>&, Uplo, std::span<std::int32_t>);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify
