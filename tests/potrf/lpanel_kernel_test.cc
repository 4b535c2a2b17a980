// The `lpanel` kernels on the host executor: sizes around panel, tile and sub-group, layouts, failing pivots,
// lane orders.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "batchlas/verify/generate.hh"
#include "batchlas/verify/host_batch.hh"
#include "batchlas/verify/poison.hh"
#include "batchlas/verify/potrf.hh"
#include "device/host/launch.hh"
#include "factor_bits.hh"
#include "ops/potrf/kernels/lpanel.hh"

namespace batchlas {
namespace {

using factor_bits::same_bits;
using factor_bits::same_factor;
using verify::HostBatch;
using verify::Layout;

struct Choice {
  int panel;
  int split;
};
constexpr Choice choices[] = {{8, 0}, {16, 0}, {32, 0}, {32, 1}};
constexpr int sizes[] = {1, 7, 8, 9, 31, 32, 33, 47, 63, 64, 65, 96, 97, 100, 129};

std::string describe(const Choice& choice, Uplo uplo, const Layout& layout) {
  return "panel=" + std::to_string(choice.panel) + " split=" + std::to_string(choice.split) +
         " uplo=" + letter(uplo) + " n=" + std::to_string(layout.rows) + " ld=" + std::to_string(layout.ld) +
         (layout.pointers ? " pointers" : "");
}

template <class T>
std::vector<std::int32_t> factor(const MatrixView<T>& A, Uplo uplo, const Choice& choice,
                                 const HostExecutorOptions& options = {}) {
  std::vector<std::int32_t> info(A.batch, -99);
  const potrf_kernels::Args<T> args{device::make_batch(A), uplo, info.data()};
  potrf_kernels::launch_lpanel(device::host::Executor{options}, args, choice.panel, choice.split);
  return info;
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

template <class T>
class LpanelKernel : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LpanelKernel, Scalars);

template <class T>
void expect_good_factors(const Layout& layout, Uplo uplo, const Choice& choice,
                         const HostExecutorOptions& options = {}) {
  HostBatch<T> original = make_items<T>(layout, uplo), result = original;
  const auto info = factor(result.view(), uplo, choice, options);
  for (const std::int32_t value : info) EXPECT_EQ(value, 0);
  const auto check = verify::check_potrf(original.view(), result.view(), uplo);
  EXPECT_TRUE(check.ok()) << verify::describe(check);
  const auto damage = verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                                    verify::nan_poison<T>());
  EXPECT_FALSE(damage) << verify::describe(*damage);
  for (std::int64_t b = 0; b < layout.batch; ++b)
    for (std::int64_t i = 0; i < layout.rows; ++i) {
      const auto item = verify::item_of(result.view(), b);
      EXPECT_EQ(std::imag(item(i, i)), 0);
    }
}

TYPED_TEST(LpanelKernel, FactorsSizesAroundPanelsAndTiles) {
  for (const Choice& choice : choices)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const int n : sizes)
        for (const int gap : {0, 3}) {
          const Layout layout{.rows = n, .cols = n, .ld = n + gap, .stride = (n + gap) * n + gap, .batch = 2};
          SCOPED_TRACE(describe(choice, uplo, layout));
          expect_good_factors<TypeParam>(layout, uplo, choice);
        }
}

// Rings of two and four chunks in many rounds, and one, two or four parts of the columns.
TYPED_TEST(LpanelKernel, FactorsLargerItems) {
  for (const Choice& choice : choices)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const int n : {200, 253}) {
        const Layout layout{.rows = n, .cols = n, .ld = 256, .batch = 1};
        SCOPED_TRACE(describe(choice, uplo, layout));
        expect_good_factors<TypeParam>(layout, uplo, choice);
      }
}

TYPED_TEST(LpanelKernel, TakesPointerArrays) {
  for (const Choice& choice : choices)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      const Layout layout{
          .rows = 65, .cols = 65, .ld = 68, .stride = 68 * 65 + 1, .batch = 5, .pointers = true};
      SCOPED_TRACE(describe(choice, uplo, layout));
      expect_good_factors<TypeParam>(layout, uplo, choice);
    }
}

TYPED_TEST(LpanelKernel, HoldsInEveryLaneOrder) {
  for (const Choice& choice : choices)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const int n : {47, 100, 160}) {
        const Layout layout{.rows = n, .cols = n, .ld = (n + 3) / 4 * 4, .batch = 1};
        SCOPED_TRACE(describe(choice, uplo, layout));
        HostBatch<TypeParam> up = make_items<TypeParam>(layout, uplo);
        const HostBatch<TypeParam> original = up;
        factor(up.view(), uplo, choice);
        const HostExecutorOptions orders[] = {{.order = LaneOrder::Down},
                                              {.order = LaneOrder::Shuffled, .seed = 1},
                                              {.order = LaneOrder::Shuffled, .seed = 2}};
        for (const HostExecutorOptions& options : orders) {
          HostBatch<TypeParam> other = original;
          factor(other.view(), uplo, choice, options);
          EXPECT_TRUE(same_factor(up, other, 0, uplo, n));
        }
      }
}

TYPED_TEST(LpanelKernel, NarrowPanelsTakeNarrowSubGroups) {
  for (const LaneOrder order : {LaneOrder::Up, LaneOrder::Down}) {
    const Layout layout{.rows = 67, .cols = 67, .batch = 1};
    expect_good_factors<TypeParam>(layout, Uplo::Lower, {8, 0}, {.order = order, .sub_group_size = 8});
    expect_good_factors<TypeParam>(layout, Uplo::Upper, {8, 0}, {.order = order, .sub_group_size = 8});
  }
}

// Aligned columns go through bulk copies, the others through element copies.
TYPED_TEST(LpanelKernel, GivesTheSameBitsWhateverTheLayout) {
  for (const Choice& choice : choices)
    for (const int n : {100, 200}) {
      const Layout aligned{.rows = n, .cols = n, .ld = n + 4, .batch = 1};
      const Layout odd{.rows = n, .cols = n, .ld = n + 3, .batch = 1, .guard = 65};
      SCOPED_TRACE(describe(choice, Uplo::Lower, aligned));
      auto first = make_items<TypeParam>(aligned, Uplo::Lower),
           second = make_items<TypeParam>(odd, Uplo::Lower);
      factor(first.view(), Uplo::Lower, choice);
      factor(second.view(), Uplo::Lower, choice);
      EXPECT_TRUE(same_factor(first, second, 0, Uplo::Lower, n));
    }
}

TYPED_TEST(LpanelKernel, UpperIsTheConjugateTransposeOfLower) {
  using T = TypeParam;
  for (const Choice& choice : choices)
    for (const int n : {33, 100}) {
      const Layout layout{.rows = n, .cols = n, .ld = n % 4 ? n + 3 : n, .batch = 1};
      SCOPED_TRACE(describe(choice, Uplo::Upper, layout));
      auto lower = make_items<T>(layout, Uplo::Lower), upper = make_items<T>(layout, Uplo::Upper);
      factor(lower.view(), Uplo::Lower, choice);
      factor(upper.view(), Uplo::Upper, choice);
      const auto L = verify::item_of(lower.view(), 0), U = verify::item_of(upper.view(), 0);
      for (int c = 0; c < n; ++c)
        for (int r = c; r < n; ++r) {
          EXPECT_EQ(std::real(L(r, c)), std::real(U(c, r))) << r << " " << c;
          EXPECT_EQ(std::imag(L(r, c)), -std::imag(U(c, r))) << r << " " << c;
        }
    }
}

TYPED_TEST(LpanelKernel, FollowsItemExtents) {
  using T = TypeParam;
  const std::vector<std::int64_t> rows = {70, 0, 33, -1, 71, 5, 64}, cols = {70, 0, 33, -1, 71, 6, 64};
  const std::vector<std::int32_t> expected = {0, 0, 0, -2, -2, -2, 0};
  for (const Choice& choice : choices)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      // The invalid items are made as full ones, so that the oracle can read them.
      Layout layout{.rows = 70, .cols = 70, .ld = 72, .batch = 7};
      SCOPED_TRACE(describe(choice, uplo, layout));
      layout.item_rows = layout.item_cols = {70, 0, 33, 70, 70, 70, 64};
      HostBatch<T> original = make_items<T>(layout, uplo), result = original;
      MatrixView<T> view = result.view();
      view.item_rows = rows.data();
      view.item_cols = cols.data();
      const auto info = factor(view, uplo, choice);
      EXPECT_EQ(info, expected);
      const auto check = verify::check_potrf(original.view(), result.view(), uplo, info);
      EXPECT_TRUE(check.ok()) << verify::describe(check);
      for (const int b : {3, 4, 5}) EXPECT_TRUE(same_factor(original, result, b, uplo, 70)) << b;
      EXPECT_FALSE(verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                                 verify::nan_poison<T>()));
    }
}

TYPED_TEST(LpanelKernel, ReportsTheFirstFailingPivot) {
  using T = TypeParam;
  using R = Real<T>;
  constexpr int n = 100;
  const int places[] = {0, 1, 7, 8, 31, 32, 40, 63, 64, 95, 96, 99};
  const R bad[] = {R(-1), R(0), std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()};
  const Layout layout{.rows = n, .cols = n, .batch = std::size(places) + 1};
  for (const Choice& choice : choices)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      SCOPED_TRACE(describe(choice, uplo, layout));
      HostBatch<T> good = make_items<T>(layout, uplo), result = good;
      for (std::size_t b = 0; b < std::size(places); ++b) {
        const auto item = verify::item_of(result.view(), static_cast<std::int64_t>(b));
        item(places[b], places[b]) = T(bad[b % std::size(bad)]);
        if (places[b] + 2 < n)
          item(places[b] + 2, places[b] + 2) = T(R(-1));  // a later failure is not the first
      }
      const auto info = factor(result.view(), uplo, choice);
      factor(good.view(), uplo, choice);
      for (std::size_t b = 0; b < std::size(places); ++b) {
        EXPECT_EQ(info[b], places[b] + 1);
        EXPECT_TRUE(same_factor(good, result, static_cast<std::int64_t>(b), uplo, places[b])) << places[b];
      }
      EXPECT_EQ(info.back(), 0);
      EXPECT_TRUE(same_factor(good, result, std::size(places), uplo, n));
    }
}

TYPED_TEST(LpanelKernel, WorksWithoutInfo) {
  using T = TypeParam;
  for (const Choice& choice : choices) {
    const Layout layout{.rows = 40, .cols = 40, .batch = 1};
    HostBatch<T> original = make_items<T>(layout, Uplo::Lower), result = original;
    const potrf_kernels::Args<T> args{device::make_batch(result.view()), Uplo::Lower, nullptr};
    potrf_kernels::launch_lpanel(device::host::Executor{}, args, choice.panel, choice.split);
    EXPECT_TRUE(verify::check_potrf(original.view(), result.view(), Uplo::Lower).ok());
  }
}

DeviceFacts facts_like_h200() {
  DeviceFacts facts;
  facts.sub_group_size = 32;
  facts.max_work_group = 1024;
  facts.local_bytes = 232448;
  return facts;
}

// The launch itself has no limit but its layout's: what is not refused must run, at both ends of the range.
TYPED_TEST(LpanelKernel, RunsWhatIsNotRefused) {
  using T = TypeParam;
  for (const std::int64_t local_bytes : {16 * 1024, 48 * 1024}) {
    DeviceFacts facts = facts_like_h200();
    facts.local_bytes = local_bytes;
    for (const Choice& choice : choices) {
      const int most = potrf_kernels::lpanel_max_n<T>(local_bytes, choice.panel, choice.split);
      SCOPED_TRACE(std::to_string(choice.panel) + " " + std::to_string(most));
      if (most < 1) continue;
      EXPECT_EQ(potrf_kernels::lpanel_refusal<T>(1, facts, choice.panel, choice.split), nullptr);
      EXPECT_EQ(potrf_kernels::lpanel_refusal<T>(most, facts, choice.panel, choice.split), nullptr);
      EXPECT_NE(potrf_kernels::lpanel_refusal<T>(most + 1, facts, choice.panel, choice.split), nullptr);
      if (most < 260) expect_good_factors<T>({.rows = most, .cols = most, .batch = 1}, Uplo::Lower, choice);
    }
  }
}

TYPED_TEST(LpanelKernel, RefusesOtherDevicesAndFields) {
  using T = TypeParam;
  using potrf_kernels::lpanel_refusal;
  const DeviceFacts facts = facts_like_h200();
  EXPECT_NE(lpanel_refusal<T>(64, facts, 24, 0), nullptr);
  EXPECT_NE(lpanel_refusal<T>(64, facts, 8, 1), nullptr);
  EXPECT_NE(lpanel_refusal<T>(64, facts, 32, 2), nullptr);
  EXPECT_NE(lpanel_refusal<T>(513, facts, 32, 0), nullptr);
  EXPECT_NE(lpanel_refusal<T>(513, facts, 8, 0), nullptr);
  DeviceFacts other = facts;
  other.sub_group_size = 64;
  EXPECT_NE(lpanel_refusal<T>(64, other, 32, 0), nullptr);
  EXPECT_NE(lpanel_refusal<T>(64, other, 8, 0), nullptr);
  other.sub_group_size = 8;
  EXPECT_NE(lpanel_refusal<T>(64, other, 16, 0), nullptr);
  EXPECT_EQ(lpanel_refusal<T>(64, other, 8, 0), nullptr);
  other = facts;
  other.max_work_group = 64;
  EXPECT_NE(lpanel_refusal<T>(256, other, 32, 0), nullptr);
  EXPECT_NE(lpanel_refusal<T>(256, other, 16, 0), nullptr);
}

static_assert(potrf_kernels::lpanel_max_n<float>(232448, 32) == 512);
static_assert(potrf_kernels::lpanel_max_n<double>(232448, 32, 1) == 512);
static_assert(potrf_kernels::lpanel_max_n<std::complex<float>>(232448, 32) == 512);
static_assert(potrf_kernels::lpanel_max_n<std::complex<double>>(232448, 32) == 256);
static_assert(potrf_kernels::lpanel_max_n<std::complex<double>>(232448, 8) == 512);

}  // namespace
}  // namespace batchlas
