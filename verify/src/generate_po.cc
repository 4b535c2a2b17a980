// LAPACK's nine types of positive definite test matrices.
#include <cmath>
#include <limits>
#include <vector>

#include "batchlas/verify/generate.hh"
#include "batchlas/verify/item.hh"
#include "batchlas/verify/random.hh"
#include "wide.hh"

namespace batchlas::verify {

namespace {

using detail::Wide;
using detail::WideReal;

/// Replaces the trailing block of order m of the n x n Hermitian matrix A (lower triangle, packed columns) by
/// H A H, H = I - tau v v^H the reflector that turns the first unit vector into a random direction. Doing so
/// for m = 2..n makes Q uniformly distributed (Stewart 1980).
template <class T>
void reflect_trailing(std::vector<Wide<T>>& A, std::int64_t n, std::int64_t m, Random& random) {
  using R = WideReal<T>;
  using W = Wide<T>;
  std::vector<W> v(m), w(m);
  R square = 0;
  for (W& x : v) {
    if constexpr (is_complex<T>) {
      const R re = random.normal();
      x = {re, R(random.normal())};
    } else {
      x = random.normal();
    }
    square += std::norm(x);
  }
  const R length = std::sqrt(square);
  const R head = std::abs(v[0]);
  v[0] = head > 0 ? v[0] * ((head + length) / head) : W(length);
  const R tau = 1 / (length * (length + head));

  W* const block = A.data() + (n - m) * (n + 1);  // element (i, j) is block[j * n + i]
  for (std::int64_t j = 0; j < m; ++j) {          // w = A v
    const W* const column = block + j * n;
    W below = std::real(column[j]) * v[j];
    for (std::int64_t i = j + 1; i < m; ++i) {
      w[i] += detail::product(column[i], v[j]);
      below += detail::product(detail::conjugate(column[i]), v[i]);
    }
    w[j] += below;
  }
  R inner = 0;  // v^H A v, real because A is Hermitian
  for (std::int64_t i = 0; i < m; ++i) inner += std::real(detail::product(detail::conjugate(v[i]), w[i]));
  const R half = tau * tau * inner / 2;
  for (std::int64_t i = 0; i < m; ++i) w[i] = tau * w[i] - half * v[i];
  for (std::int64_t j = 0; j < m; ++j) {  // A - v w^H - w v^H
    W* const column = block + j * n;
    const W wj = detail::conjugate(w[j]), vj = detail::conjugate(v[j]);
    for (std::int64_t i = j; i < m; ++i) column[i] -= detail::product(v[i], wj) + detail::product(w[i], vj);
  }
}

constexpr std::int64_t zeroed_row(PoType type, std::int64_t n) {
  return expected_info(type, n) - 1;
}

}  // namespace

std::string_view name(PoType type) {
  constexpr std::string_view names[] = {"diagonal",        "well-conditioned", "zero-first",
                                        "zero-last",       "zero-middle",      "condition-sqrt",
                                        "condition-limit", "near-underflow",   "near-overflow"};
  return names[static_cast<int>(type) - 1];
}

template <Scalar T>
double condition(PoType type, std::int64_t n) {
  const double limit = 0.1 / std::numeric_limits<Real<T>>::epsilon();
  if (n <= 1) return 1;
  if (type == PoType::ConditionSqrt) return std::sqrt(limit);
  if (type == PoType::ConditionLimit) return limit;
  return 2;
}

template <Scalar T>
double largest_eigenvalue(PoType type) {
  using Limits = std::numeric_limits<Real<T>>;
  const double small = 0.25 * static_cast<double>(Limits::min() / Limits::epsilon());
  if (type == PoType::NearUnderflow) return small;
  if (type == PoType::NearOverflow) return 1 / small;
  return 1;
}

template <Scalar T>
void fill_po_item(const MatrixView<T>& A, std::int64_t b, PoType type, std::uint64_t seed) {
  using R = WideReal<T>;
  const Item<T> item = square_item_of(A, b);
  const std::int64_t n = item.rows;
  std::vector<Wide<T>> wide(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    wide[i * n + i] = n == 1 ? R(1) : std::pow(R(condition<T>(type, n)), -R(i) / R(n - 1));
  Random random(seed, b);
  if (type != PoType::Diagonal)
    for (std::int64_t m = 2; m <= n; ++m) reflect_trailing<T>(wide, n, m, random);

  const R scale = largest_eigenvalue<T>(type);  // a power of two
  const std::int64_t zero = zeroed_row(type, n);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) {
      const bool zeroed = i == zero || j == zero;
      const Wide<T> value = i == j ? Wide<T>(std::real(wide[j * n + i])) : wide[j * n + i];
      item(i, j) = zeroed ? T{} : detail::narrow<T>(value * scale);
      if (i != j) item(j, i) = zeroed ? T{} : detail::conjugate(item(i, j));
    }
  }
}

template <Scalar T>
void fill_po(const MatrixView<T>& A, PoType type, std::uint64_t seed) {
  for (std::int64_t b = 0; b < A.batch; ++b) fill_po_item(A, b, type, seed);
}

#define INSTANTIATE(T)                                                   \
  template double condition<T>(PoType, std::int64_t);                    \
  template double largest_eigenvalue<T>(PoType);                         \
  template void fill_po<T>(const MatrixView<T>&, PoType, std::uint64_t); \
  template void fill_po_item<T>(const MatrixView<T>&, std::int64_t, PoType, std::uint64_t);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify
