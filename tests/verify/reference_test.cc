// reference_potrf: info values, untouched remainders, and agreement with LAPACK.
#include "batchlas/verify/reference.hh"

#include <cmath>
#include <limits>

#include "batchlas/verify/compare.hh"
#include "batchlas/verify/generate.hh"
#include "batchlas/verify/potrf.hh"
#include "support.hh"

namespace batchlas::verify::test {
namespace {

template <class T>
class Reference : public ::testing::Test {};
TYPED_TEST_SUITE(Reference, Scalars, ScalarNames);

constexpr Uplo uplos[] = {Uplo::Lower, Uplo::Upper};

template <class T>
std::int32_t info_of(HostBatch<T>& batch, Uplo uplo) {
  std::int32_t info = -1;
  reference_potrf(batch.view(), uplo, {&info, 1});
  return info;
}

TYPED_TEST(Reference, ExactFactorComesOutBitForBit) {
  for (const Uplo uplo : uplos) {
    ExactPair<TypeParam> pair({.rows = 12, .cols = 12, .ld = 13, .batch = 3}, uplo);
    std::vector<std::int32_t> info(3, -1);
    reference_potrf(pair.original.view(), uplo, info);
    EXPECT_EQ(info, std::vector<std::int32_t>(3, 0));
    for (std::int64_t b = 0; b < 3; ++b)  // -0 and 0 differ in bits: compare values
      for (std::int64_t j = 0; j < 12; ++j)
        for (std::int64_t i = j; i < 12; ++i) {
          const auto L = item_of(pair.original.view(), b), F = item_of(pair.factor.view(), b);
          EXPECT_EQ(uplo == Uplo::Lower ? L(i, j) : L(j, i), uplo == Uplo::Lower ? F(i, j) : F(j, i));
        }
  }
}

TYPED_TEST(Reference, EveryTypeGivesTheExpectedInfoAsLapackDoes) {
  using T = TypeParam;
  for (const Uplo uplo : uplos)
    for (const std::int64_t n : {0, 1, 2, 3, 5, 10, 33, 50})
      for (const PoType type : po_types) {
        if (!applies(type, n)) continue;
        HostBatch<T> batch({.rows = n, .cols = n});
        fill_po(batch.view(), type, 2);
        HostBatch<T> original = batch;
        const std::int32_t info = info_of(batch, uplo);
        EXPECT_EQ(info, expected_info(type, n)) << n << " " << name(type);
        EXPECT_LT(check_potrf(original.view(), batch.view(), uplo, {&info, 1}).raw, 1)
            << n << " " << name(type);
        if (!has_lapacke() || n == 0) continue;
        HostBatch<T> lapack = original;
        std::int32_t theirs = -1;
        lapack_potrf(lapack.view(), uplo, {&theirs, 1});
        EXPECT_EQ(theirs, expected_info(type, n)) << n << " " << name(type);
        EXPECT_TRUE(check_potrf(original.view(), lapack.view(), uplo, {&theirs, 1}).ok())
            << n << " " << name(type);
      }
}

TYPED_TEST(Reference, APivotThatIsNotFiniteAndPositiveFails) {
  using T = TypeParam;
  using Limits = std::numeric_limits<Real<T>>;
  const double bad[] = {0.0, -0.0, -1.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()};
  for (const Uplo uplo : uplos)
    for (const double pivot : bad)
      for (const std::int64_t k : {0, 2, 4}) {
        HostBatch<T> batch({.rows = 5, .cols = 5});
        for (std::int64_t i = 0; i < 5; ++i) item_of(batch.view(), 0)(i, i) = T(Real<T>(i == k ? pivot : 4));
        EXPECT_EQ(info_of(batch, uplo), k + 1) << pivot;
      }
}

TYPED_TEST(Reference, APivotThatUnderflowsInWorkingPrecisionFails) {
  using T = TypeParam;
  using R = Real<T>;
  // [1 x; x y] with y - x^2 > 0 but below half the smallest denormal.
  const R root = std::is_same_v<R, float> ? R(0x1p-70) : R(0x1p-530);
  HostBatch<T> batch({.rows = 2, .cols = 2});
  const Item<T> A = item_of(batch.view(), 0);
  A(0, 0) = T(R(1));
  A(1, 0) = T(std::nextafter(root, R(0)));
  A(1, 1) = T(root * root);
  EXPECT_EQ(info_of(batch, Uplo::Lower), 2);
}

TYPED_TEST(Reference, ReadsAndWritesOneTriangleAndNoImaginaryDiagonal) {
  using T = TypeParam;
  for (const Uplo uplo : uplos) {
    ExactPair<T> pair({.rows = 6, .cols = 6},
                      uplo);  // NaN in the other triangle and in the imaginary diagonal
    const HostBatch<T> before = pair.original;
    EXPECT_EQ(info_of(pair.original, uplo), 0);
    const Item<T> A = item_of(pair.original.view(), 0);
    for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(std::imag(A(i, i)), 0);
    for (std::int64_t j = 1; j < 6; ++j)
      for (std::int64_t i = 0; i < j; ++i)
        EXPECT_TRUE(std::isnan(std::real(uplo == Uplo::Lower ? A(i, j) : A(j, i))));
  }
}

TYPED_TEST(Reference, AFailureLeavesTheRestUntouched) {
  using T = TypeParam;
  for (const Uplo uplo : uplos) {
    HostBatch<T> batch({.rows = 9, .cols = 9});
    fill_po(batch.view(), PoType::ZeroMiddle, 4);  // info 5
    HostBatch<T> before = batch;
    ASSERT_EQ(info_of(batch, uplo), 5);
    const Item<T> A = item_of(batch.view(), 0), B = item_of(before.view(), 0);
    for (std::int64_t j = 4; j < 9; ++j)
      for (std::int64_t i = j; i < 9; ++i) {
        EXPECT_EQ(A(i, j), B(i, j));
        EXPECT_EQ(A(j, i), B(j, i));
      }
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_NE(A(i, i), B(i, i));
  }
}

}  // namespace
}  // namespace batchlas::verify::test
