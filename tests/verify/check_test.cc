// The bounds table and the order of results.
#include "batchlas/verify/check.hh"

#include <limits>

#include "support.hh"

namespace batchlas::verify::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

CheckResult result(double raw, std::int64_t item) {
  return {.raw = raw, .bound = 30, .item = item};
}

TEST(CheckResult, OkIsFalseAtTheBoundAndForNaN) {
  EXPECT_TRUE(result(29.999, 0).ok());
  EXPECT_FALSE(result(30, 0).ok());
  EXPECT_FALSE(result(infinity, 0).ok());
  EXPECT_FALSE(result(nan, 0).ok());
}

TEST(CheckResult, WorstPrefersNaNThenSizeThenTheFirst) {
  EXPECT_EQ(worst(result(1, 0), result(2, 1)).item, 1);
  EXPECT_EQ(worst(result(2, 0), result(1, 1)).item, 0);
  EXPECT_EQ(worst(result(1, 0), result(1, 1)).item, 0);
  EXPECT_EQ(worst(result(nan, 0), result(infinity, 1)).item, 0);
  EXPECT_EQ(worst(result(infinity, 0), result(nan, 1)).item, 1);
  EXPECT_EQ(worst(result(nan, 0), result(nan, 1)).item, 0);
  EXPECT_EQ(worst(result(0, -1), result(0, 4)).item, 4);
  EXPECT_EQ(worst(result(0, 4), result(0, -1)).item, 4);
  EXPECT_EQ(worst(result(0, 4), CheckResult{}).item, 4);
}

TEST(CheckResult, DescribeNamesKindValueBoundAndItem) {
  EXPECT_EQ(describe(result(31.25, 4)), "factorization 31.25 (bound 30) at item 4");
}

TEST(Bound, IsConstantTimesUnit) {
  const double eps = unit_roundoff<double>;
  EXPECT_EQ(eps, 0x1p-53);
  EXPECT_EQ(unit_roundoff<std::complex<float>>, 0x1p-24);
  EXPECT_EQ(bound(Kind::Factorization, 10, eps), 300 * eps);
  EXPECT_EQ(bound(Kind::Solve, 10, eps), 300 * eps);
  EXPECT_EQ(bound(Kind::Blas, 10, eps), 48 * eps);
  for (int kind = 0; kind <= static_cast<int>(Kind::Values); ++kind) {
    const auto k = static_cast<Kind>(kind);
    EXPECT_EQ(bound(k, 64, eps), bound_constant(k) * bound_unit(k, 64, eps));
    EXPECT_GT(bound(k, 1, eps), 0) << name(k);
    EXPECT_LT(bound(k, 64, eps), 1e-11) << name(k);
    EXPECT_FALSE(name(k).empty());
  }
}

TEST(SampleItems, AreTheFirstTheMiddleAndTheLastOnce) {
  using Items = std::vector<std::int64_t>;
  EXPECT_EQ(sample_items(0), Items());
  EXPECT_EQ(sample_items(1), Items({0}));
  EXPECT_EQ(sample_items(2), Items({0, 1}));
  EXPECT_EQ(sample_items(3), Items({0, 1, 2}));
  EXPECT_EQ(sample_items(4096), Items({0, 2048, 4095}));
}

}  // namespace
}  // namespace batchlas::verify::test
