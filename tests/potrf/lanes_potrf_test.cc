// Family lanes of potrf against the contract, on every SIMD target that this CPU has.
#include <gtest/gtest.h>

#include "lanes/target.hh"
#include "ops/potrf/lanes/potrf_lanes.hh"
#include "potrf_cases.hh"

namespace batchlas_test {
namespace {

using lanes::Target;
using potrf_family::lanes_max_n, potrf_family::potrf_lanes, potrf_family::potrf_lanes_refusal;

template <class T>
class LanesPotrf : public testing::Test {
 protected:
  /// Calls f(W) for each SIMD target.
  template <class F>
  void on_each_target(F f) {
    Target last = Target::Baseline;
    for (const Target target : {Target::Baseline, Target::Avx2, Target::Avx512}) {
      lanes::limit_target(target);
      if (target != Target::Baseline && lanes::chosen_target() == last) continue;  // this CPU has no more
      last = lanes::chosen_target();
      SCOPED_TRACE(lanes::name(last));
      f(lanes::vector_bytes() / static_cast<std::int64_t>(sizeof(Real<T>)));
    }
    lanes::limit_target(Target::Avx512);
  }

  static void run(PotrfBatch<T>& A) { potrf_lanes<T>(A.view(), A.uplo, A.info.data()); }

  static void run_and_check(PotrfBatch<T>& A) {
    PotrfBatch<T> after = copy_of(A);
    run(after);
    expect_factored(A, after);
  }
};

using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LanesPotrf, Scalars);

TYPED_TEST(LanesPotrf, FactorsEveryOrderInBothTrianglesAtAnyLeadingDimension) {
  this->on_each_target([&](std::int64_t W) {
    for (std::int64_t n = 1; n <= lanes_max_n; ++n)
      for (const Uplo uplo : both_triangles)
        for (const std::int64_t extra : {0, 3}) {
          SCOPED_TRACE("n " + std::to_string(n) + letter(uplo) + " ld +" + std::to_string(extra));
          PotrfBatch<TypeParam> A(n, W + 1, uplo, extra, extra);
          A.fill();
          this->run_and_check(A);
          if (testing::Test::HasFatalFailure()) return;
        }
  });
}

TYPED_TEST(LanesPotrf, FactorsEveryRemainderOfAPack) {
  this->on_each_target([&](std::int64_t W) {
    for (const std::int64_t n : {1, 3, 4, 5, 11})
      for (std::int64_t batch = 1; batch <= 2 * W + 1; ++batch) {
        SCOPED_TRACE("n " + std::to_string(n) + " batch " + std::to_string(batch));
        PotrfBatch<TypeParam> A(n, batch, Uplo::Lower);
        A.fill();
        this->run_and_check(A);
      }
  });
}

TYPED_TEST(LanesPotrf, FactorsManyPacksOnSeveralThreads) {
  PotrfBatch<TypeParam> A(12, 1003, Uplo::Upper, 1, 5);
  A.fill();
  this->run_and_check(A);
}

TYPED_TEST(LanesPotrf, FollowsPointerArrays) {
  this->on_each_target([&](std::int64_t W) {
    for (const std::int64_t n : {1, 2, 6})
      for (const Uplo uplo : both_triangles) {
        PotrfBatch<TypeParam> A(n, 2 * W - 1, uplo, 2, 1);
        for (std::int64_t b = 0; b < A.batch; ++b)
          A.pointers.push_back(A.memory.data() + (A.batch - 1 - b) * A.stride);
        A.fill();
        this->run_and_check(A);
      }
  });
}

TYPED_TEST(LanesPotrf, ReportsABadPivotAtEachPlaceAndSparesTheOthers) {
  using T = TypeParam;
  using R = Real<T>;
  const R inf = std::numeric_limits<R>::infinity();
  this->on_each_target([&](std::int64_t W) {
    for (const std::int64_t n : {1, 3, 4, 7, 13})
      for (const R value : {R(0), R(-1), nan_value<T>, inf, -inf})
        for (std::int64_t column = 0; column<n; column += n> 5 ? 3 : 1) {
          SCOPED_TRACE("n " + std::to_string(n) + " pivot " + std::to_string(column) + " = " +
                       std::to_string(value));
          PotrfBatch<T> good(n, 2 * W + 1, Uplo::Lower, 1);
          good.fill();
          PotrfBatch<T> A = copy_of(good);
          for (std::int64_t b = column % 2; b < A.batch; b += 2) A.at(b, column, column) = value;
          PotrfBatch<T> after = copy_of(A);
          this->run(after);
          expect_factored(A, after);
          this->run(good);
          for (std::int64_t b = 1 - column % 2; b < A.batch; b += 2)
            EXPECT_TRUE(same_bits(good, b, after, b));
        }
  });
}

TYPED_TEST(LanesPotrf, ReportsTheFirstOfSeveralBadPivotsAndNaNBelowTheDiagonal) {
  PotrfBatch<TypeParam> A(9, 3, Uplo::Upper);
  A.fill();
  A.at(0, 4, 4) = A.at(0, 6, 6) = TypeParam(-1);
  A.at(1, 7, 2) = poison<TypeParam>();
  this->run_and_check(A);
}

TYPED_TEST(LanesPotrf, AcceptsTheSmallestAndLargestPivots) {
  using R = Real<TypeParam>;
  for (const R value : {std::numeric_limits<R>::denorm_min(), std::numeric_limits<R>::max()}) {
    PotrfBatch<TypeParam> A(2, 2, Uplo::Lower);
    A.fill();
    for (std::int64_t b = 0; b < 2; ++b) {
      A.at(b, 0, 0) = A.at(b, 1, 1) = TypeParam(value);
      A.at(b, 1, 0) = TypeParam(0);
    }
    this->run(A);
    EXPECT_EQ(A.info[0], 0);
    EXPECT_EQ(std::real(A.at(0, 0, 0)), std::sqrt(value));
    EXPECT_EQ(std::real(A.at(1, 1, 1)), std::sqrt(value));
  }
}

TYPED_TEST(LanesPotrf, GivesEqualItemsEqualBitsWhateverPlaceAndBatch) {
  this->on_each_target([&](std::int64_t W) {
    for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 17, 30})
      for (const Uplo uplo : both_triangles) {
        SCOPED_TRACE("n " + std::to_string(n) + letter(uplo));
        PotrfBatch<TypeParam> alone(n, 1, uplo, 2);
        alone.fill(0, 7);
        PotrfBatch<TypeParam> many(n, 2 * W + 1, uplo);
        for (std::int64_t b = 0; b < many.batch; ++b) many.fill(b, b % 2 ? 7 : 8);
        this->run(alone);
        this->run(many);
        for (std::int64_t b = 1; b < many.batch; b += 2) EXPECT_TRUE(same_bits(alone, 0, many, b)) << b;
      }
  });
}

TYPED_TEST(LanesPotrf, FactorsItemsOfDifferentOrdersWithTheBitsOfEachAlone) {
  this->on_each_target([&](std::int64_t W) {
    for (const std::int64_t n : {3, 7, 18})
      for (const Uplo uplo : both_triangles) {
        SCOPED_TRACE("n " + std::to_string(n) + letter(uplo));
        PotrfBatch<TypeParam> A(n, 5 * W + 1, uplo, 1, 2);
        for (std::int64_t b = 0; b < A.batch; ++b) {
          // Packs: mixed, mixed, all n - 1, all 0, then mixed with items that are out of range or not square.
          const std::int64_t pack = b / W;
          A.rows.push_back(pack == 2 ? n - 1 : pack == 3 ? 0 : 5 * b % (n + 1));
          A.cols.push_back(A.rows[b]);
          if (pack == 4 && b % 3 == 0) A.rows[b] = A.cols[b] = b % 2 ? -1 : n + 1;
          if (pack == 4 && b % 3 == 1) A.cols[b] = (A.rows[b] + 1) % (n + 1);
        }
        A.fill();
        PotrfBatch<TypeParam> after = copy_of(A);
        this->run(after);
        expect_factored(A, after);
        for (std::int64_t b = 0; b < A.batch; ++b) {
          if (!A.valid(b) || A.rows[b] == 0) continue;
          PotrfBatch<TypeParam> alone(A.rows[b], 1, uplo);
          alone.fill(0, static_cast<unsigned>(1 + b));
          this->run(alone);
          EXPECT_TRUE(same_bits(alone, 0, after, b)) << "item " << b << " of order " << A.rows[b];
        }
      }
  });
}

TYPED_TEST(LanesPotrf, TakesTheViewsExtentWhereOneArrayIsAbsent) {
  PotrfBatch<TypeParam> A(4, 3, Uplo::Lower);
  A.fill();
  A.rows = {4, 3, 4};
  potrf_lanes<TypeParam>(A.view(), A.uplo, A.info.data());
  EXPECT_EQ(A.info, (std::vector<std::int32_t>{0, -2, 0}));
}

TYPED_TEST(LanesPotrf, RunsWithoutInfo) {
  PotrfBatch<TypeParam> A(5, 3, Uplo::Lower);
  A.fill();
  PotrfBatch<TypeParam> with = copy_of(A);
  this->run(with);
  potrf_lanes<TypeParam>(A.view(), A.uplo, nullptr);
  A.info = with.info;
  for (std::int64_t b = 0; b < 3; ++b) EXPECT_TRUE(same_bits(A, b, with, b));
}

TYPED_TEST(LanesPotrf, RefusesGpusAndLargeOrders) {
  DeviceFacts cpu, gpu;
  gpu.is_gpu = true;
  EXPECT_EQ(potrf_lanes_refusal<TypeParam>(lanes_max_n, cpu), nullptr);
  EXPECT_NE(potrf_lanes_refusal<TypeParam>(lanes_max_n + 1, cpu), nullptr);
  EXPECT_NE(potrf_lanes_refusal<TypeParam>(4, gpu), nullptr);
}

}  // namespace
}  // namespace batchlas_test
