// The generators: determinism, spectra, independence of layout.
#include "batchlas/verify/generate.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchlas/verify/compare.hh"
#include "batchlas/verify/poison.hh"
#include "batchlas/verify/reference.hh"
#include "support.hh"

namespace batchlas::verify::test {
namespace {

template <class T>
class Generate : public ::testing::Test {};
TYPED_TEST_SUITE(Generate, Scalars, ScalarNames);

/// Eigenvalues of item b in double precision, so that those of a float matrix carry no error of the solver.
template <class T>
std::vector<double> eigenvalues(HostBatch<T>& batch, std::int64_t b) {
  using D = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  const Item<T> A = item_of(batch.view(), b);
  HostBatch<D> copy({.rows = A.rows, .cols = A.cols});
  for (std::int64_t j = 0; j < A.cols; ++j)
    for (std::int64_t i = 0; i < A.rows; ++i) item_of(copy.view(), 0)(i, j) = D(A(i, j));
  return lapack_eigenvalues(copy.view(), 0);
}

TYPED_TEST(Generate, DependsOnSeedAndItemAlone) {
  using T = TypeParam;
  const Layout plain{.rows = 7, .cols = 7, .batch = 4};
  const Layout odd{.rows = 7, .cols = 7, .ld = 9, .stride = 70, .batch = 4, .pointers = true};
  const auto fills = {
      +[](const MatrixView<T>& A, std::uint64_t seed) { fill_po(A, PoType::ConditionSqrt, seed); },
      +[](const MatrixView<T>& A, std::uint64_t seed) { fill_spd_well_conditioned(A, seed); },
      +[](const MatrixView<T>& A, std::uint64_t seed) { fill_random(A, seed); }};
  for (const auto& fill : fills) {
    HostBatch<T> one(plain), two(odd), other(plain);
    fill(one.view(), 1);
    fill(two.view(), 1);
    fill(other.view(), 2);
    EXPECT_FALSE(first_bit_difference(one.view(), two.view(), Part::Full));
    for (std::int64_t b = 0; b < 4; ++b) {
      EXPECT_TRUE(first_bit_difference(one.view().slice(b, 1), other.view().slice(b, 1), Part::Full));
      const auto previous = one.view().slice(b > 0 ? b - 1 : 3, 1);
      EXPECT_TRUE(first_bit_difference(one.view().slice(b, 1), previous, Part::Full));
    }
  }
}

TYPED_TEST(Generate, OneItemOfAMixedBatchIsThatOfAWholeFill) {
  using T = TypeParam;
  HostBatch<T> whole({.rows = 5, .cols = 5, .batch = 3}), mixed = whole;
  fill_po(whole.view(), PoType::ConditionSqrt, 8);
  for (std::int64_t b = 0; b < 3; ++b) fill_po_item(mixed.view(), b, PoType::Diagonal, 8);
  fill_po_item(mixed.view(), 2, PoType::ConditionSqrt, 8);
  EXPECT_FALSE(first_bit_difference(whole.view().slice(2, 1), mixed.view().slice(2, 1), Part::Full));
}

TYPED_TEST(Generate, WritesTheItemsAndNothingElse) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 5,
                      .cols = 5,
                      .ld = 8,
                      .stride = 45,
                      .batch = 3,
                      .item_rows = {5, 0, 3},
                      .item_cols = {5, 0, 3}});
  poison_outside(batch.storage(), batch.view(), Part::Full, nan_poison<T>());
  fill_po(batch.view(), PoType::WellConditioned, 1);
  fill_spd_well_conditioned(batch.view(), 1);
  fill_random(batch.view(), 1);
  EXPECT_FALSE(find_poison_damage<T>(batch.storage(), batch.view(), Part::Full, nan_poison<T>()));
}

TYPED_TEST(Generate, EveryTypeIsHermitianBitForBitWithIndependentParts) {
  using T = TypeParam;
  constexpr std::int64_t n = 12;
  for (const PoType type : po_types) {
    HostBatch<T> batch({.rows = n, .cols = n});
    fill_po(batch.view(), type, 3);
    const Item<T> A = item_of(batch.view(), 0);
    for (std::int64_t j = 0; j < n; ++j) {
      EXPECT_EQ(std::imag(A(j, j)), 0);
      for (std::int64_t i = 0; i < n; ++i) {
        EXPECT_EQ(A(i, j), conjugate(A(j, i)));
        const bool zeroed = expected_info(type, n) == i + 1 || expected_info(type, n) == j + 1;
        if (zeroed || (type == PoType::Diagonal && i != j)) {
          EXPECT_EQ(A(i, j), T{}) << name(type);
        } else {
          EXPECT_TRUE(std::isfinite(std::abs(A(i, j))));
          EXPECT_NE(std::real(A(i, j)), 0) << name(type);
          if (is_complex<T> && i != j) {
            EXPECT_NE(std::imag(A(i, j)), 0);
            EXPECT_NE(std::abs(std::imag(A(i, j))), std::abs(std::real(A(i, j))));
          }
        }
      }
    }
  }
}

TYPED_TEST(Generate, SpectrumIsTheGeometricProgressionOfTheType) {
  using T = TypeParam;
  if (!has_lapacke()) GTEST_SKIP() << "built without LAPACKE";
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  EXPECT_DOUBLE_EQ(condition<T>(PoType::ConditionLimit, 5), 0.1 / eps);
  EXPECT_DOUBLE_EQ(condition<T>(PoType::ConditionSqrt, 5), std::sqrt(0.1 / eps));
  for (const std::int64_t n : {1, 2, 5, 16})
    for (const PoType type : po_types) {
      if (expected_info(type, n) != 0) continue;
      HostBatch<T> batch({.rows = n, .cols = n, .batch = 2});
      fill_po(batch.view(), type, 6);
      const double top = largest_eigenvalue<T>(type);
      for (std::int64_t b = 0; b < 2; ++b) {
        const std::vector<double> values = eigenvalues(batch, b);
        for (std::int64_t i = 0; i < n; ++i) {
          const double want =
              n == 1 ? 1 : std::pow(condition<T>(type, n), -double(n - 1 - i) / double(n - 1));
          // Rounding moves an eigenvalue by some eps of the norm; the smallest of ConditionLimit is 10 eps.
          EXPECT_NEAR(values[i] / top, want, 4 * eps) << n << " " << name(type);
        }
      }
    }
}

TYPED_TEST(Generate, ScaledTypesAreWellConditionedOnesTimesAPowerOfTwo) {
  using T = TypeParam;
  HostBatch<T> plain({.rows = 6, .cols = 6}), large = plain;
  fill_po(plain.view(), PoType::WellConditioned, 5);
  fill_po(large.view(), PoType::NearOverflow, 5);
  const Real<T> scale = static_cast<Real<T>>(largest_eigenvalue<T>(PoType::NearOverflow));
  EXPECT_EQ(scale, Real<T>(sizeof(Real<T>) == 4 ? 0x1p+105 : 0x1p+972));
  for (std::int64_t j = 0; j < 6; ++j)
    for (std::int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(item_of(large.view(), 0)(i, j), item_of(plain.view(), 0)(i, j) * scale);
}

TYPED_TEST(Generate, EigenvectorsAreMixedNotNearTheUnitVectors) {
  using T = TypeParam;
  constexpr std::int64_t n = 48;
  HostBatch<T> batch({.rows = n, .cols = n});
  fill_po(batch.view(), PoType::ConditionLimit, 9);
  // With uniformly distributed vectors every diagonal element is near trace / n, whatever eigenvalue it
  // started from.
  const Item<T> A = item_of(batch.view(), 0);
  double trace = 0, least = 1, most = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = std::real(A(i, i));
    trace += d;
    least = std::min(least, d);
    most = std::max(most, d);
  }
  EXPECT_GT(least, trace / n / 20);
  EXPECT_LT(most, trace / n * 8);
}

TYPED_TEST(Generate, CheapMatricesAreWellConditioned) {
  using T = TypeParam;
  for (std::int64_t n = 1; n <= 40; ++n) {
    HostBatch<T> batch({.rows = n, .cols = n, .batch = 20});
    fill_spd_well_conditioned(batch.view(), 12);
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i <= j; ++i)
        EXPECT_EQ(item_of(batch.view(), 7)(i, j), conjugate(item_of(batch.view(), 7)(j, i)));
    for (std::int64_t b = 0; has_lapacke() && b < 20; ++b) {
      const std::vector<double> values = eigenvalues(batch, b);
      EXPECT_GT(values.front(), 0.5) << n;
      EXPECT_LT(values.back() / values.front(), 10) << n;
    }
    std::vector<std::int32_t> info(20, -1);
    reference_potrf(batch.view(), Uplo::Lower, info);
    EXPECT_EQ(info, std::vector<std::int32_t>(20, 0)) << n;
  }
}

TYPED_TEST(Generate, RandomNumbersFillTheInterval) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 40, .cols = 30, .batch = 2});
  fill_random(batch.view(), 4);
  double sum = 0, least = 0, most = 0;
  for (std::int64_t b = 0; b < 2; ++b)
    for (std::int64_t j = 0; j < 30; ++j)
      for (std::int64_t i = 0; i < 40; ++i) {
        const double x = std::real(item_of(batch.view(), b)(i, j));
        sum += x;
        least = std::min(least, x);
        most = std::max(most, x);
      }
  EXPECT_NEAR(sum / 2400, 0, 0.05);
  EXPECT_GE(least, -1);
  EXPECT_LT(least, -0.99);
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 0.99);
}

TYPED_TEST(Generate, ItemsThatAreNotSquareThrow) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 3, .cols = 4});
  EXPECT_THROW(fill_po(batch.view(), PoType::Diagonal, 1), std::invalid_argument);
  EXPECT_THROW(fill_spd_well_conditioned(batch.view(), 1), std::invalid_argument);
}

TEST(ExpectedInfo, IsTheZeroedRow) {
  EXPECT_EQ(expected_info(PoType::ZeroFirst, 10), 1);
  EXPECT_EQ(expected_info(PoType::ZeroLast, 10), 10);
  EXPECT_EQ(expected_info(PoType::ZeroMiddle, 10), 6);
  EXPECT_EQ(expected_info(PoType::ZeroMiddle, 11), 6);
  EXPECT_EQ(expected_info(PoType::ConditionLimit, 10), 0);
  EXPECT_EQ(expected_info(PoType::ZeroFirst, 0), 0);
}

TEST(Random, IsTheSameOnEveryMachine) {  // the value comes from another implementation
  Random random(1, 0), item(1, 1);
  const std::uint64_t first = random.bits();
  EXPECT_EQ(first, 0x4181b152fb77616fu);
  EXPECT_NE(first, item.bits());
}

}  // namespace
}  // namespace batchlas::verify::test
