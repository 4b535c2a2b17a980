// potrf by LAPACK against the contract: what LAPACK itself does not promise is what is looked at.
#include <gtest/gtest.h>

#include "potrf_cases.hh"
#include "vendor/lapack/potrf.hh"

namespace batchlas_test {
namespace {

template <class T>
class VendorPotrf : public testing::Test {
 protected:
  static void run_and_check(PotrfBatch<T>& A) {
    PotrfBatch<T> after = copy_of(A);
    vendor::lapack_potrf<T>(after.view(), after.uplo, after.info.data());
    expect_factored(A, after);
  }
};

using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(VendorPotrf, Scalars);

TYPED_TEST(VendorPotrf, FactorsBothTrianglesAtAnyLeadingDimension) {
  EXPECT_TRUE(vendor::lapack_available());
  for (const std::int64_t n : {1, 2, 7, 33, 150})
    for (const Uplo uplo : both_triangles)
      for (const std::int64_t extra : {0, 3}) {
        SCOPED_TRACE("n " + std::to_string(n) + letter(uplo));
        PotrfBatch<TypeParam> A(n, 5, uplo, extra, extra);
        A.fill();
        this->run_and_check(A);
      }
}

TYPED_TEST(VendorPotrf, CompletesTheColumnsBeforeABadPivot) {
  using R = Real<TypeParam>;
  const R inf = std::numeric_limits<R>::infinity();
  for (const std::int64_t n : {1, 8, 150})
    for (const Uplo uplo : both_triangles)
      for (const R value : {R(0), R(-1), nan_value<TypeParam>, inf}) {
        SCOPED_TRACE("n " + std::to_string(n) + letter(uplo) + " pivot " + std::to_string(value));
        PotrfBatch<TypeParam> A(n, 4, uplo);
        A.fill();
        A.at(1, n / 3, n / 3) = value;
        A.at(3, n - 1, n - 1) = value;
        this->run_and_check(A);
      }
}

TYPED_TEST(VendorPotrf, FollowsPointersAndExtents) {
  PotrfBatch<TypeParam> A(6, 8, Uplo::Upper, 1);
  for (std::int64_t b = 0; b < A.batch; ++b) A.pointers.push_back(A.memory.data() + (7 - b) * A.stride);
  A.rows = {6, 0, 3, 7, -1, 5, 1, 2};
  A.cols = {6, 0, 3, 7, -1, 4, 1, 2};
  A.fill();
  this->run_and_check(A);
}

}  // namespace
}  // namespace batchlas_test
