// A build without LAPACK says so instead of failing to link.
#include <gtest/gtest.h>

#include "batchlas/status.hh"
#include "vendor/lapack/potrf.hh"

namespace {

TEST(VendorPotrfAbsent, HasNoRoute) {
  using namespace batchlas;
  EXPECT_FALSE(vendor::lapack_available());
  EXPECT_THROW(vendor::lapack_potrf<double>({}, Uplo::Lower, nullptr), NoRouteError);
}

}  // namespace
