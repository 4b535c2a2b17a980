// Batches for the tests of CPU potrf families, and a check of the whole contract against a plain reference.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"

namespace batchlas_test {

using namespace batchlas;

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;

template <class T>
T sample(std::mt19937& random) {
  std::uniform_real_distribution<Real<T>> uniform(-1, 1);
  if constexpr (is_complex<T>) {
    const Real<T> re = uniform(random);
    return {re, uniform(random)};
  } else {
    return uniform(random);
  }
}

template <class T>
constexpr Real<T> nan_value = std::numeric_limits<Real<T>>::quiet_NaN();

template <class T>
T poison() {
  if constexpr (is_complex<T>) {
    return {nan_value<T>, nan_value<T>};
  } else {
    return nan_value<T>;
  }
}

/// A batch in memory that holds NaN wherever potrf must not look: the other triangle, imaginary parts of the
/// diagonal, rows n .. ld, gaps between items, and everything outside an item's extents.
template <class T>
class PotrfBatch {
 public:
  std::int64_t n, batch, ld, stride;
  Uplo uplo;
  std::vector<T> memory;
  std::vector<std::int64_t> rows, cols;  ///< extents, or empty
  std::vector<T*> pointers;              ///< or empty
  std::vector<std::int32_t> info;

  PotrfBatch(std::int64_t n_, std::int64_t batch_, Uplo uplo_, std::int64_t ld_extra = 0,
             std::int64_t gap = 0)
      : n(n_), batch(batch_), ld(n_ + ld_extra), stride(ld * n_ + gap), uplo(uplo_), info(batch_, 12345) {
    // Ends with the last referenced element, so that a sanitizer sees a load past it.
    memory.assign(static_cast<std::size_t>((batch - 1) * stride + (n - 1) * ld + n), poison<T>());
  }

  T* item(std::int64_t b) { return pointers.empty() ? memory.data() + b * stride : pointers[b]; }
  std::int64_t order(std::int64_t b) const { return rows.empty() ? n : rows[b]; }
  bool valid(std::int64_t b) const {
    return rows.empty() || (rows[b] == cols[b] && rows[b] >= 0 && rows[b] <= n);
  }

  /// Element (i, k), k <= i, of the lower triangle or its mirror image in the upper.
  T& at(std::int64_t b, std::int64_t i, std::int64_t k) {
    return item(b)[uplo == Uplo::Lower ? k * ld + i : i * ld + k];
  }

  void fill(std::int64_t b, unsigned seed) {
    std::mt19937 random(seed);
    if (!valid(b)) return;
    for (std::int64_t i = 0; i < order(b); ++i) {
      for (std::int64_t k = 0; k < i; ++k) at(b, i, k) = sample<T>(random);
      const Real<T> d = static_cast<Real<T>>(2 * order(b)) + std::real(sample<T>(random));
      if constexpr (is_complex<T>) {
        at(b, i, i) = T(d, nan_value<T>);
      } else {
        at(b, i, i) = d;
      }
    }
  }
  void fill() {
    for (std::int64_t b = 0; b < batch; ++b) fill(b, static_cast<unsigned>(1 + b));
  }

  MatrixView<T> view() {
    MatrixView<T> v{.rows = n, .cols = n, .ld = ld, .stride = stride, .batch = batch};
    if (pointers.empty()) {
      v.data = memory.data();
    } else {
      v.pointers = pointers.data();
    }
    if (!rows.empty()) v.item_rows = rows.data();
    if (!cols.empty()) v.item_cols = cols.data();
    return v;
  }
};

/// Checks `after` = potrf(`before`): info, valid columns, real diagonal, and that nothing else was written
/// (bit for bit).
template <class T>
void expect_factored(PotrfBatch<T>& before, PotrfBatch<T>& after) {
  using R = Real<T>;
  const R eps = std::numeric_limits<R>::epsilon();
  std::vector<char> written(before.memory.size(), 0);
  for (std::int64_t b = 0; b < before.batch; ++b) {
    SCOPED_TRACE("item " + std::to_string(b));
    if (!before.valid(b)) {
      EXPECT_EQ(after.info[b], -2);
      continue;
    }
    const std::int64_t n = before.order(b);
    std::vector<Wide<T>> l(n * n);
    std::int64_t bad = n;
    for (std::int64_t j = 0; j < n && bad == n; ++j)
      for (std::int64_t i = j; i < n; ++i) {
        Wide<T> sum;
        if constexpr (is_complex<T>) {
          sum = i == j ? Wide<T>(before.at(b, i, j).real()) : Wide<T>(before.at(b, i, j));
        } else {
          sum = before.at(b, i, j);
        }
        for (std::int64_t k = 0; k < j; ++k) {
          if constexpr (is_complex<T>) {
            sum -= l[i * n + k] * std::conj(l[j * n + k]);
          } else {
            sum -= l[i * n + k] * l[j * n + k];
          }
        }
        if (i > j) {
          l[i * n + j] = sum / l[j * n + j];
          continue;
        }
        const R pivot = static_cast<R>(std::real(sum));
        if (!(pivot > 0 && pivot <= std::numeric_limits<R>::max())) {
          bad = j;
          break;
        }
        l[i * n + j] = std::sqrt(std::real(sum));
      }
    EXPECT_EQ(after.info[b], bad < n ? bad + 1 : 0);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k <= i; ++k) {
        written[&before.at(b, i, k) - before.memory.data()] = 1;
        if (k >= bad) continue;
        const Wide<T> got(after.at(b, i, k));
        if (std::isnan(std::abs(l[i * n + k]))) {
          EXPECT_TRUE(std::isnan(std::abs(got)));  // a NaN below the diagonal stays in its row
          continue;
        }
        ASSERT_LE(std::abs(got - l[i * n + k]), 8 * static_cast<R>(n) * eps * std::abs(l[k * n + k]))
            << "n " << n << " (" << i << ", " << k << ")";
        if constexpr (is_complex<T>) {
          if (i == k) {
            ASSERT_EQ(after.at(b, i, k).imag(), 0);
          }
        }
      }
  }
  for (std::size_t e = 0; e < before.memory.size(); ++e)
    ASSERT_TRUE(written[e] || std::memcmp(&before.memory[e], &after.memory[e], sizeof(T)) == 0)
        << "wrote element " << e;
}

/// True where item b of `x` and item c of `y` hold the same bits in their triangles.
template <class T>
bool same_bits(PotrfBatch<T>& x, std::int64_t b, PotrfBatch<T>& y, std::int64_t c) {
  for (std::int64_t i = 0; i < x.order(b); ++i)
    for (std::int64_t k = 0; k <= i; ++k)
      if (std::memcmp(&x.at(b, i, k), &y.at(c, i, k), sizeof(T)) != 0) return false;
  return x.info[b] == y.info[c];
}

/// A copy with its own memory: pointer arrays are rebuilt.
template <class T>
PotrfBatch<T> copy_of(const PotrfBatch<T>& from) {
  PotrfBatch<T> to = from;
  for (std::size_t b = 0; b < to.pointers.size(); ++b)
    to.pointers[b] = to.memory.data() + (from.pointers[b] - from.memory.data());
  return to;
}

inline constexpr Uplo both_triangles[] = {Uplo::Lower, Uplo::Upper};

}  // namespace batchlas_test
