// The four scalars as gtest types, and a small exact Cholesky pair to plant errors in.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "batchlas/scalar.hh"
#include "batchlas/verify/host_batch.hh"
#include "batchlas/verify/item.hh"
#include "batchlas/verify/random.hh"

namespace batchlas::verify::test {

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

struct ScalarNames {
  template <class T>
  static std::string GetName(int) {
    return std::string(name(dtype_of<T>()));
  }
};

template <class T>
T conjugate(T x) {
  if constexpr (is_complex<T>) return std::conj(x);
  return x;
}

/// re + im i for complex scalars, re for real ones.
template <class T>
T scalar(double re, double im) {
  if constexpr (is_complex<T>) return T(Real<T>(re), Real<T>(im));
  return T(re);
}

/// A = L L^H in small integers, so that every product and sum is exact and the ratio of the pair is exactly
/// 0. L(n - 1, 0) and with it A(n - 1, 0) is 0: an error planted there keeps all its bits. The triangle that
/// is not `uplo` is NaN in both, and so is the imaginary diagonal of A.
template <Scalar T>
struct ExactPair {
  HostBatch<T> original, factor;

  ExactPair(const Layout& layout, Uplo uplo, std::uint64_t seed = 7) : original(layout), factor(layout) {
    const Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
    for (T& x : original.storage()) x = T(nan);
    for (T& x : factor.storage()) x = T(nan);
    for (std::int64_t b = 0; b < layout.batch; ++b) {
      const Item<T> A = item_of(original.view(), b), F = item_of(factor.view(), b);
      const std::int64_t n = A.rows;
      Random random(seed, b);
      std::vector<T> L(static_cast<std::size_t>(n * n));
      const auto small = [&] { return static_cast<double>(random.bits() % 3) - 1; };
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = j; i < n; ++i)
          L[j * n + i] = i == j ? T(Real<T>(1 + random.bits() % 2)) : scalar<T>(small(), small());
      if (n > 1) L[n - 1] = T{};
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = j; i < n; ++i) {
          T sum{};
          for (std::int64_t k = 0; k <= j; ++k) sum += L[k * n + i] * conjugate(L[k * n + j]);
          const bool lower = uplo == Uplo::Lower;
          (lower ? A(i, j) : A(j, i)) = i == j  ? scalar<T>(std::real(sum), nan)
                                        : lower ? sum
                                                : conjugate(sum);
          (lower ? F(i, j) : F(j, i)) = lower ? L[j * n + i] : conjugate(L[j * n + i]);
        }
    }
  }
};

}  // namespace batchlas::verify::test
