// What the tests of `cta` and `blocked` share: poisoned items, and comparisons of factors bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "batchlas/device.hh"
#include "batchlas/verify/generate.hh"
#include "batchlas/verify/host_batch.hh"
#include "batchlas/verify/poison.hh"
#include "batchlas/verify/potrf.hh"
#include "device/host/launch.hh"
#include "factor_bits.hh"

namespace batchlas::potrf_tests {

using factor_bits::same_bits;
using factor_bits::same_factor;
using verify::HostBatch;
using verify::Layout;
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
constexpr Uplo uplos[] = {Uplo::Lower, Uplo::Upper};

inline DeviceFacts facts_like_h200() {
  DeviceFacts facts;
  facts.sub_group_size = 32;
  facts.max_work_group = 1024;
  facts.local_bytes = 232448;
  return facts;
}

inline std::string describe(Uplo uplo, const Layout& layout) {
  return std::string("uplo=") + letter(uplo) + " n=" + std::to_string(layout.rows) +
         " ld=" + std::to_string(layout.ld) + (layout.pointers ? " pointers" : "");
}

inline Layout square(std::int64_t n, std::int64_t gap = 0, std::int64_t batch = 1) {
  return {.rows = n, .cols = n, .ld = n + gap, .stride = (n + gap) * n + gap, .batch = batch};
}

/// Positive definite items; everything that must not be used is a NaN.
template <class T>
HostBatch<T> make_items(const Layout& layout, Uplo uplo, std::uint64_t seed = 1) {
  HostBatch<T> batch(layout);
  verify::fill_spd_well_conditioned(batch.view(), seed);
  verify::poison_outside(batch.storage(), batch.view(), verify::part_of(uplo), verify::nan_poison<T>());
  verify::poison_diagonal_imag(batch.view(), std::numeric_limits<Real<T>>::quiet_NaN());
  return batch;
}

/// U is L^H, bit for bit but for the sign of zeros.
template <class T>
void expect_conjugate_transposes(HostBatch<T>& lower, HostBatch<T>& upper) {
  const auto L = verify::item_of(lower.view(), 0), U = verify::item_of(upper.view(), 0);
  for (std::int64_t c = 0; c < L.rows; ++c)
    for (std::int64_t r = c; r < L.rows; ++r) {
      ASSERT_EQ(std::real(L(r, c)), std::real(U(c, r))) << r << " " << c;
      ASSERT_EQ(std::imag(L(r, c)), -std::imag(U(c, r))) << r << " " << c;
    }
}

/// Small residual, info 0, real diagonal, poison intact.
template <class T>
void expect_factored(HostBatch<T>& original, HostBatch<T>& result, Uplo uplo,
                     const std::vector<std::int32_t>& info) {
  for (const std::int32_t value : info) EXPECT_EQ(value, 0);
  const auto check = verify::check_potrf(original.view(), result.view(), uplo);
  EXPECT_TRUE(check.ok()) << verify::describe(check);
  const auto damage = verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                                    verify::nan_poison<T>());
  EXPECT_FALSE(damage) << verify::describe(*damage);
  for (std::int64_t b = 0; b < result.layout().batch; ++b) {
    const auto item = verify::item_of(result.view(), b);
    for (std::int64_t i = 0; i < item.rows; ++i) EXPECT_EQ(std::imag(item(i, i)), 0);
  }
}

/// Breaks one pivot of each item but the last; a later failure must not hide the first one.
template <class T>
HostBatch<T> with_bad_pivots(const HostBatch<T>& good, const std::vector<int>& places) {
  using R = Real<T>;
  const R bad[] = {R(-1), R(0), std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()};
  HostBatch<T> broken = good;
  for (std::size_t b = 0; b < places.size(); ++b) {
    const auto item = verify::item_of(broken.view(), static_cast<std::int64_t>(b));
    item(places[b], places[b]) = T(bad[b % std::size(bad)]);
    if (places[b] + 2 < item.rows) item(places[b] + 2, places[b] + 2) = T(R(-1));
  }
  return broken;
}

}  // namespace batchlas::potrf_tests
