// check_potrf sees planted errors of known size, and nothing else.
#include <cmath>
#include <limits>

#include "batchlas/verify/generate.hh"
#include "batchlas/verify/potrf.hh"
#include "batchlas/verify/reference.hh"
#include "support.hh"

namespace batchlas::verify::test {
namespace {

constexpr std::int64_t n = 9;

template <class T>
class CheckPotrf : public ::testing::Test {};
TYPED_TEST_SUITE(CheckPotrf, Scalars, ScalarNames);

/// A(i, j) of the stored triangle, i >= j.
template <class T>
T& element(const Item<T>& A, Uplo uplo, std::int64_t i, std::int64_t j) {
  return uplo == Uplo::Lower ? A(i, j) : A(j, i);
}

/// ||A||_1 by the definition.
template <class T>
double norm(const Item<T>& A, Uplo uplo) {
  double largest = 0;
  for (std::int64_t j = 0; j < A.cols; ++j) {
    double sum = 0;
    for (std::int64_t i = 0; i < A.rows; ++i)
      sum += i == j ? std::abs(double(std::real(A(i, i))))
                    : std::abs(element(A, uplo, std::max(i, j), std::min(i, j)));
    largest = std::max(largest, sum);
  }
  return largest;
}

constexpr Uplo uplos[] = {Uplo::Lower, Uplo::Upper};

TYPED_TEST(CheckPotrf, ExactFactorHasRatioZero) {
  for (const Uplo uplo : uplos) {
    ExactPair<TypeParam> pair({.rows = n, .cols = n, .ld = 11, .batch = 4}, uplo);
    const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), uplo);
    EXPECT_EQ(result.raw, 0);
    EXPECT_EQ(result.bound, 30);
    EXPECT_EQ(result.kind, Kind::Factorization);
    EXPECT_TRUE(result.ok());
  }
}

TYPED_TEST(CheckPotrf, PlantedOffDiagonalErrorPassesJustBelowAndFailsJustAboveTheBound) {
  using T = TypeParam;
  for (const Uplo uplo : uplos)
    for (const double size : {29.9, 30.1})
      for (const bool imaginary : {false, true}) {
        if (imaginary && !is_complex<T>) continue;
        ExactPair<T> pair({.rows = n, .cols = n, .batch = 5}, uplo);
        const Item<T> A = item_of(pair.original.view(), 3);
        const double error = size * double(n) * norm(A, uplo) * unit_roundoff<T>;
        ASSERT_EQ(element(A, uplo, n - 1, 0), T{});
        element(A, uplo, n - 1, 0) = imaginary ? scalar<T>(0, error) : scalar<T>(error, 0);
        const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), uplo);
        EXPECT_NEAR(result.raw, size, 1e-3);
        EXPECT_EQ(result.ok(), size < 30);
        EXPECT_EQ(result.item, 3);
        EXPECT_NEAR(result.residual(), size / 30 * bound(Kind::Factorization, n, unit_roundoff<T>),
                    1e-3 * result.residual());
      }
}

TYPED_TEST(CheckPotrf, PlantedDiagonalErrorPassesBelowAndFailsAboveTheBound) {
  using T = TypeParam;
  for (const Uplo uplo : uplos)
    for (const double size : {25.0, 35.0}) {
      ExactPair<T> pair({.rows = n, .cols = n}, uplo);
      const Item<T> A = item_of(pair.original.view(), 0);
      A(4, 4) += T(Real<T>(size * double(n) * norm(A, uplo) * unit_roundoff<T>));
      const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), uplo);
      EXPECT_NEAR(result.raw, size, 1);
      EXPECT_EQ(result.ok(), size < 30);
    }
}

TYPED_TEST(CheckPotrf, AccumulatesBelowWorkingPrecision) {
  using T = TypeParam;
  // L(n - 1, 0) = u / 2 instead of 0 adds u / 2 |L(j, 0)| to the sums of A(n - 1, j). Working precision
  // rounds it away wherever such a sum is not 0.
  ExactPair<T> pair({.rows = n, .cols = n}, Uplo::Lower);
  const Item<T> F = item_of(pair.factor.view(), 0), A = item_of(pair.original.view(), 0);
  double column = 0;
  for (std::int64_t j = 0; j < n - 1; ++j) column += unit_roundoff<T> / 2 * std::abs(F(j, 0));
  F(n - 1, 0) = T(Real<T>(unit_roundoff<T> / 2));
  const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), Uplo::Lower);
  EXPECT_NEAR(result.residual() * norm(A, Uplo::Lower) / column, 1, 0.02);
}

TYPED_TEST(CheckPotrf, NaNIsTheWorstWhereverItStands) {
  using T = TypeParam;
  const Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  for (const Uplo uplo : uplos)
    for (const bool in_factor : {false, true})
      for (const auto& [i, j] : {std::pair{0, 0}, {8, 8}, {5, 2}, {8, 0}}) {
        ExactPair<T> pair({.rows = n, .cols = n, .batch = 5}, uplo);
        for (const std::int64_t b : {1, 4}) element(item_of(pair.original.view(), b), uplo, 3, 1) += T(100);
        auto& spoilt = in_factor ? pair.factor : pair.original;
        element(item_of(spoilt.view(), 2), uplo, i, j) =
            i == j ? T(nan) : scalar<T>(0, nan) + T(is_complex<T> ? 0 : nan);
        const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), uplo);
        EXPECT_TRUE(std::isnan(result.raw));
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(result.item, 2);
      }
}

TYPED_TEST(CheckPotrf, InfinityFails) {
  using T = TypeParam;
  ExactPair<T> pair({.rows = n, .cols = n, .batch = 2}, Uplo::Lower);
  item_of(pair.factor.view(), 1)(6, 2) = T(std::numeric_limits<Real<T>>::infinity());
  EXPECT_FALSE(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Lower).ok());
}

TYPED_TEST(CheckPotrf, FactorOfAnotherItemFails) {
  using T = TypeParam;
  ExactPair<T> pair({.rows = n, .cols = n, .batch = 4}, Uplo::Lower);
  EXPECT_FALSE(
      check_potrf(pair.original.view().slice(1, 3), pair.factor.view().slice(0, 3), Uplo::Lower).ok());
}

TYPED_TEST(CheckPotrf, FactorInTheWrongTriangleFails) {
  using T = TypeParam;
  HostBatch<T> original({.rows = n, .cols = n});
  fill_po(original.view(), PoType::WellConditioned, 3);
  HostBatch<T> factor = original;
  std::int32_t info = -1;
  reference_potrf(factor.view(), Uplo::Upper, {&info, 1});
  EXPECT_TRUE(check_potrf(original.view(), factor.view(), Uplo::Upper).ok());
  EXPECT_FALSE(check_potrf(original.view(), factor.view(), Uplo::Lower).ok());
}

TYPED_TEST(CheckPotrf, TransposeWithoutConjugateFails) {
  using T = TypeParam;
  if constexpr (is_complex<T>) {
    ExactPair<T> pair({.rows = n, .cols = n}, Uplo::Lower);
    const Item<T> F = item_of(pair.factor.view(), 0);
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = j; i < n; ++i) F(i, j) = std::conj(F(i, j));
    EXPECT_FALSE(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Lower).ok());
  }
}

TYPED_TEST(CheckPotrf, DiagonalOfTheFactorMustBeRealAndPositive) {
  using T = TypeParam;
  ExactPair<T> negative({.rows = n, .cols = n}, Uplo::Lower);
  const Item<T> F = item_of(negative.factor.view(), 0);
  for (std::int64_t i = 4; i < n; ++i) F(i, 4) = -F(i, 4);  // L L^H stays the same
  EXPECT_GE(check_potrf(negative.original.view(), negative.factor.view(), Uplo::Lower).raw,
            1 / unit_roundoff<T>);
  if constexpr (is_complex<T>) {
    ExactPair<T> pair({.rows = n, .cols = n}, Uplo::Upper);
    item_of(pair.factor.view(), 0)(n - 1, n - 1).imag(std::numeric_limits<Real<T>>::denorm_min());
    EXPECT_GE(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Upper).raw, 1 / unit_roundoff<T>);
  }
}

TYPED_TEST(CheckPotrf, FailedItemIsJudgedByItsLeadingBlock) {
  using T = TypeParam;
  const Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  for (const Uplo uplo : uplos)
    for (const std::int32_t k : {1, 5, int(n)}) {
      ExactPair<T> pair({.rows = n, .cols = n, .batch = 3}, uplo);
      const Item<T> F = item_of(pair.factor.view(), 1);
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = std::max<std::int64_t>(j, k - 1); i < n; ++i) element(F, uplo, i, j) = T(nan);
      const std::vector<std::int32_t> info = {0, k, 0};
      EXPECT_EQ(check_potrf(pair.original.view(), pair.factor.view(), uplo, info).raw, 0);
      EXPECT_FALSE(check_potrf(pair.original.view(), pair.factor.view(), uplo).ok());
      const std::vector<std::int32_t> too_late = {0, k + 1, 0};
      if (k < n) {
        EXPECT_FALSE(check_potrf(pair.original.view(), pair.factor.view(), uplo, too_late).ok());
      }
      if (k == 1) continue;
      element(F, uplo, k - 2, 0) += T(1);
      const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), uplo, info);
      EXPECT_FALSE(result.ok());
      EXPECT_EQ(result.item, 1);
    }
}

TYPED_TEST(CheckPotrf, NegativeInfoAndUnlistedItemsAreSkipped) {
  using T = TypeParam;
  ExactPair<T> pair({.rows = n, .cols = n, .batch = 5}, Uplo::Lower);
  item_of(pair.factor.view(), 2)(3, 3) = T(0);
  const std::vector<std::int32_t> info = {0, 0, -2, 0, 0};
  EXPECT_TRUE(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Lower, info).ok());
  const std::vector<std::int64_t> without = {0, 4}, with = {0, 2, 4};
  EXPECT_TRUE(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Lower, {}, without).ok());
  EXPECT_EQ(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Lower, {}, with).item, 2);
}

TYPED_TEST(CheckPotrf, PointersExtentsAndBroadcast) {
  using T = TypeParam;
  const Layout layout{.rows = n,
                      .cols = n,
                      .ld = 12,
                      .stride = 130,
                      .batch = 4,
                      .pointers = true,
                      .item_rows = {9, 0, 1, 6},
                      .item_cols = {9, 0, 1, 6}};
  ExactPair<T> pair(layout, Uplo::Upper);
  EXPECT_EQ(check_potrf(pair.original.view(), pair.factor.view(), Uplo::Upper).raw, 0);
  const Item<T> A = item_of(pair.original.view(), 3);
  A(0, 5) = T(Real<T>(30.1 * 6 * norm(A, Uplo::Upper) * unit_roundoff<T>));
  const CheckResult result = check_potrf(pair.original.view(), pair.factor.view(), Uplo::Upper);
  EXPECT_NEAR(result.raw, 30.1, 1e-3);  // n is the item's order
  EXPECT_EQ(result.item, 3);

  ExactPair<T> one({.rows = n, .cols = n}, Uplo::Lower);
  EXPECT_EQ(check_potrf(one.original.view().broadcast(3), one.factor.view().broadcast(3), Uplo::Lower).raw,
            0);
}

TYPED_TEST(CheckPotrf, WrongUseThrows) {
  using T = TypeParam;
  ExactPair<T> pair({.rows = n, .cols = n, .batch = 3}, Uplo::Lower);
  const auto A = pair.original.view(), F = pair.factor.view();
  const std::vector<std::int32_t> short_info = {0, 0}, large_info = {0, n + 1, 0};
  EXPECT_THROW(check_potrf(A, F.slice(0, 2), Uplo::Lower), std::invalid_argument);
  EXPECT_THROW(check_potrf(A, F, Uplo::Lower, short_info), std::invalid_argument);
  EXPECT_THROW(check_potrf(A, F, Uplo::Lower, large_info), std::invalid_argument);
  const std::vector<std::int64_t> no_item = {3};
  EXPECT_THROW(check_potrf(A, F, Uplo::Lower, {}, no_item), std::invalid_argument);
}

TYPED_TEST(CheckPotrf, ZeroMatrixWithAFactorFails) {
  using T = TypeParam;
  HostBatch<T> zero({.rows = 3, .cols = 3});
  EXPECT_FALSE(check_potrf(zero.view(), zero.view(), Uplo::Lower).ok());
}

TYPED_TEST(CheckPotrf, LapackAndReferenceFactorsPassWithRoom) {
  using T = TypeParam;
  for (const Uplo uplo : uplos)
    for (const std::int64_t order : {1, 2, 5, 33, 70})
      for (const PoType type : po_types) {
        if (expected_info(type, order) != 0) continue;
        HostBatch<T> original({.rows = order, .cols = order, .ld = order + 3, .batch = 2});
        fill_po(original.view(), type, 11);
        HostBatch<T> factor = original;
        std::vector<std::int32_t> info(2, -1);
        reference_potrf(factor.view(), uplo, info);
        EXPECT_LT(check_potrf(original.view(), factor.view(), uplo, info).raw, 1)
            << order << " " << name(type);
        if (!has_lapacke()) continue;
        factor = original;
        lapack_potrf(factor.view(), uplo, info);
        EXPECT_EQ(info, std::vector<std::int32_t>(2, 0)) << order << " " << name(type);
        EXPECT_LT(check_potrf(original.view(), factor.view(), uplo, info).raw, 3)
            << order << " " << name(type);
      }
}

}  // namespace
}  // namespace batchlas::verify::test
