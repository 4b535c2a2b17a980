// Random fills that cost n^2 operations an item.
#include "batchlas/verify/generate.hh"

#include <algorithm>
#include <cmath>

#include "batchlas/verify/item.hh"
#include "batchlas/verify/random.hh"
#include "wide.hh"

namespace batchlas::verify {

template <Scalar T>
void fill_random(const MatrixView<T>& A, std::uint64_t seed) {
  for (std::int64_t b = 0; b < A.batch; ++b) {
    const Item<T> item = item_of(A, b);
    Random random(seed, b);
    for (std::int64_t j = 0; j < item.cols; ++j)
      for (std::int64_t i = 0; i < item.rows; ++i) item(i, j) = random.scalar<T>();
  }
}

template <Scalar T>
void fill_spd_well_conditioned(const MatrixView<T>& A, std::uint64_t seed) {
  for (std::int64_t b = 0; b < A.batch; ++b) {
    const Item<T> item = square_item_of(A, b);
    const std::int64_t n = item.rows;
    // The spectral norm of the off-diagonal part tends to 2 sqrt(n variance) and stays below twice that (its
    // tail falls as exp(-2 n)); for small n the sum of n - 1 largest magnitudes is the sharper bound.
    const double magnitude = is_complex<T> ? std::sqrt(2.0) : 1.0;
    const double variance = magnitude * magnitude / 3;
    const double shift = 1 + std::min(magnitude * static_cast<double>(n - 1), 4 * std::sqrt(n * variance));
    Random random(seed, b);
    for (std::int64_t j = 0; j < n; ++j) {
      item(j, j) = static_cast<Real<T>>(shift + (random.uniform() + 1) / 2);
      for (std::int64_t i = j + 1; i < n; ++i) {
        item(i, j) = random.scalar<T>();
        item(j, i) = detail::conjugate(item(i, j));
      }
    }
  }
}

#define INSTANTIATE(T)                                               \
  template void fill_random<T>(const MatrixView<T>&, std::uint64_t); \
  template void fill_spd_well_conditioned<T>(const MatrixView<T>&, std::uint64_t);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify
