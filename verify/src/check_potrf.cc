// The DPOT01 ratio of a batch of Cholesky factors.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "batchlas/verify/item.hh"
#include "batchlas/verify/potrf.hh"
#include "wide.hh"

namespace batchlas::verify::detail {

namespace {

/// Element (i, j), i >= j, of the Hermitian matrix whose triangle `uplo` is stored; the diagonal's imaginary
/// part is 0.
template <class T>
Wide<T> hermitian(const Item<const T>& A, Uplo uplo, std::int64_t i, std::int64_t j) {
  if (i == j) return std::real(A(i, i));
  return uplo == Uplo::Lower ? widen(A(i, j)) : conjugate(widen(A(j, i)));
}

/// Column i of the result holds rows 0..i of U = L^H, so that every inner product runs down two columns.
template <class T>
void pack_upper(const Item<const T>& F, Uplo uplo, std::int64_t n, std::vector<T>& U) {
  U.resize(static_cast<std::size_t>(n * n));
  for (std::int64_t j = 0; j < n; ++j) {
    if (uplo == Uplo::Lower)
      for (std::int64_t i = j; i < n; ++i) U[i * n + j] = conjugate(F(i, j));
    else
      std::copy_n(F.column(j), j + 1, &U[j * n]);
  }
}

template <class T>
bool diagonal_is_real_positive(const Item<const T>& F, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    if (!(std::real(F(i, i)) > 0) || std::imag(F(i, i)) != 0) return false;
  return true;
}

/// The 1-norm of a Hermitian matrix from its lower triangle, given element by element.
template <class R>
class HermitianNorm {
 public:
  explicit HermitianNorm(std::int64_t n) : sums_(static_cast<std::size_t>(n)) {}
  void add(std::int64_t i, std::int64_t j, R magnitude) {
    sums_[i] += magnitude;
    if (i != j) sums_[j] += magnitude;
  }
  R value() const {
    R norm = 0;
    for (const R sum : sums_) norm = max_nan(norm, sum);
    return norm;
  }

 private:
  std::vector<R> sums_;
};

/// DPOT01 of the leading block of order n.
template <class T>
double ratio(const Item<const T>& A, const Item<const T>& F, Uplo uplo, std::int64_t n, std::vector<T>& U) {
  using R = WideReal<T>;
  if (n == 0) return 0;
  pack_upper(F, uplo, n, U);
  HermitianNorm<R> residual(n), norm(n);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) {
      const Wide<T> a = hermitian(A, uplo, i, j);
      const Wide<T> r = a - dot(&U[i * n], &U[j * n], j + 1);
      norm.add(i, j, magnitude(a));
      residual.add(i, j, magnitude(r));
    }
  }
  const R unit = static_cast<R>(bound_unit(Kind::Factorization, n, unit_roundoff<T>));
  // A zero norm is a zero block, which has no factor: 0 / 0 is the NaN that it deserves.
  const auto raw = static_cast<double>(residual.value() / norm.value() / unit);
  return diagonal_is_real_positive(F, n) ? raw : max_nan(raw, 1 / unit_roundoff<T>);
}

}  // namespace

template <Scalar T>
CheckResult check_potrf(const MatrixView<const T>& original, const MatrixView<const T>& factor, Uplo uplo,
                        std::span<const std::int32_t> info, std::span<const std::int64_t> items) {
  if (original.batch != factor.batch) throw std::invalid_argument("check_potrf: batches differ");
  if (!info.empty() && static_cast<std::int64_t>(info.size()) != factor.batch)
    throw std::invalid_argument("check_potrf: info needs one value an item");
  CheckResult result{.bound = bound_constant(Kind::Factorization), .kind = Kind::Factorization};
  std::vector<T> U;
  const auto count = items.empty() ? factor.batch : static_cast<std::int64_t>(items.size());
  for (std::int64_t at = 0; at < count; ++at) {
    const std::int64_t b = items.empty() ? at : items[at];
    const std::int64_t k = info.empty() ? 0 : info[b];
    if (k < 0) continue;
    const Item<const T> A = square_item_of(original, b);
    const Item<const T> F = square_item_of(factor, b);
    if (A.rows != F.rows || k > F.rows)
      throw std::invalid_argument("check_potrf: orders or info of item " + std::to_string(b) + " do not fit");
    const std::int64_t n = k == 0 ? F.rows : k - 1;
    CheckResult one = result;
    one.raw = ratio(A, F, uplo, n, U);
    one.item = b;
    one.unit = bound_unit(Kind::Factorization, n, unit_roundoff<T>);
    result = worst(result, one);
  }
  return result;
}

#define INSTANTIATE(T)                                                                              \
  template CheckResult check_potrf<T>(const MatrixView<const T>&, const MatrixView<const T>&, Uplo, \
                                      std::span<const std::int32_t>, std::span<const std::int64_t>);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify::detail
