// The `blocked` kernels on the host executor: sizes around block and tile, layouts, failing pivots in every
// block, lane orders, and that neither the split over groups nor the tile side changes a bit.
#include "ops/potrf/kernels/blocked.hh"

#include "resident_support.hh"

namespace batchlas::potrf_tests {
namespace {

template <class T>
std::vector<std::int32_t> factor(const MatrixView<T>& A, Uplo uplo, int nb,
                                 const HostExecutorOptions& options = {}) {
  std::vector<std::int32_t> info(A.batch, -99);
  potrf_kernels::launch_blocked(device::host::Executor{options},
                                potrf_kernels::Args<T>{device::make_batch(A), uplo, info.data()}, nb, {});
  return info;
}

template <class T>
void expect_good_factors(const Layout& layout, Uplo uplo, int nb, const HostExecutorOptions& options = {}) {
  SCOPED_TRACE(describe(uplo, layout) + " nb=" + std::to_string(nb));
  HostBatch<T> original = make_items<T>(layout, uplo), result = original;
  const auto info = factor(result.view(), uplo, nb, options);
  expect_factored(original, result, uplo, info);
}

template <class T>
class BlockedKernel : public ::testing::Test {};
TYPED_TEST_SUITE(BlockedKernel, Scalars);

TYPED_TEST(BlockedKernel, FactorsSizesAroundBlocksAndTiles) {
  for (const Uplo uplo : uplos)
    for (const int nb : {8, 64, 128})
      for (const int n : {1, 7, 8, 9, 31, 33, 63, 64, 65, 100, 129, 200}) {
        if (nb == 8 && n > 100) continue;
        expect_good_factors<TypeParam>(square(n, n % 2 ? 3 : 0, 2), uplo, nb);
      }
}

TYPED_TEST(BlockedKernel, FactorsLargerItems) {
  expect_good_factors<TypeParam>(square(300, 3), Uplo::Lower, 64);
  expect_good_factors<TypeParam>(square(300), Uplo::Upper, 128);
}

/// The first block column of 64 of item 0, to launch by hand.
template <class T>
potrf_kernels::BlockStep<T> first_step(HostBatch<T>& batch, Uplo uplo, std::int32_t& status) {
  return {device::make_batch(batch.view()), uplo == Uplo::Upper, &status, 0, 64};
}

// Narrow strips serve few items, wide ones many: see launch_panel_solve.
TYPED_TEST(BlockedKernel, TheSplitOfThePanelDoesNotChangeBits) {
  using T = TypeParam;
  const device::host::Executor executor;
  std::int32_t status = -99;
  for (const Uplo uplo : uplos) {
    HostBatch<T> leaf = make_items<T>(square(200), uplo);
    potrf_kernels::launch_leaf(executor, first_step(leaf, uplo, status));
    EXPECT_EQ(status, 0);
    HostBatch<T> expected = leaf;
    potrf_kernels::launch_panel_solve(executor, first_step(expected, uplo, status));
    for (const int rows : {32, 64}) {
      HostBatch<T> other = leaf;
      const potrf_kernels::PotrfPanelSolve<T> kernel{first_step(other, uplo, status), rows};
      EXPECT_EQ(kernel.layout().groups, (136 + rows - 1) / rows);
      executor.run(kernel.layout(), kernel);
      EXPECT_TRUE(same_factor(expected, other, 0, uplo, 200)) << rows;
    }
  }
}

// Floats take tiles of 128 where there are enough of them: see launch_trailing_update.
TEST(BlockedKernelOfFloat, WideTilesDoNotChangeBits) {
  const device::host::Executor executor;
  std::int32_t status = 0;
  for (const Uplo uplo : uplos) {
    HostBatch<float> narrow = make_items<float>(square(330), uplo), wide = narrow;
    potrf_kernels::launch_trailing_update(executor, first_step(narrow, uplo, status));
    const potrf_kernels::PotrfTrailingUpdate<float, 128> kernel{first_step(wide, uplo, status)};
    EXPECT_EQ(kernel.layout().groups, 6);
    executor.run(kernel.layout(), kernel);
    EXPECT_TRUE(same_factor(narrow, wide, 0, uplo, 330));
    EXPECT_FALSE(verify::find_poison_damage<float>(wide.storage(), wide.view(), verify::part_of(uplo),
                                                   verify::nan_poison<float>()));
  }
}

TYPED_TEST(BlockedKernel, TakesPointerArrays) {
  Layout layout = square(100, 1, 3);
  layout.pointers = true;
  for (const Uplo uplo : uplos) expect_good_factors<TypeParam>(layout, uplo, 64);
}

TYPED_TEST(BlockedKernel, HoldsInEveryLaneOrder) {
  const HostExecutorOptions all[] = {{.order = LaneOrder::Down},
                                     {.order = LaneOrder::Shuffled, .seed = 1},
                                     {.order = LaneOrder::Shuffled, .seed = 2}};
  for (const Uplo uplo : uplos) {
    HostBatch<TypeParam> up = make_items<TypeParam>(square(150, 1), uplo);
    const HostBatch<TypeParam> original = up;
    factor(up.view(), uplo, 64);
    for (const HostExecutorOptions& options : all) {
      HostBatch<TypeParam> other = original;
      EXPECT_EQ(factor(other.view(), uplo, 64, options)[0], 0);
      EXPECT_TRUE(same_factor(up, other, 0, uplo, 150));
    }
  }
}

// Without 32 lanes there is no matrix unit, and doubles take the register tiles.
TYPED_TEST(BlockedKernel, TakesOtherSubGroups) {
  for (const Uplo uplo : uplos)
    for (const int size : {8, 64})
      expect_good_factors<TypeParam>(square(150, 1), uplo, 64,
                                     {.order = LaneOrder::Down, .sub_group_size = size});
}

TYPED_TEST(BlockedKernel, UpperIsTheConjugateTransposeOfLower) {
  for (const int n : {65, 150}) {
    auto lower = make_items<TypeParam>(square(n), Uplo::Lower),
         upper = make_items<TypeParam>(square(n), Uplo::Upper);
    factor(lower.view(), Uplo::Lower, 64);
    factor(upper.view(), Uplo::Upper, 64);
    expect_conjugate_transposes(lower, upper);
  }
}

TYPED_TEST(BlockedKernel, ReportsTheFirstFailingPivot) {
  using T = TypeParam;
  constexpr int n = 150;
  const std::vector<int> places = {0, 8, 63, 64, 100, 127, 128, 149};
  for (const Uplo uplo : uplos) {
    HostBatch<T> good = make_items<T>(square(n, 0, 9), uplo), result = with_bad_pivots(good, places);
    const auto info = factor(result.view(), uplo, 64);
    factor(good.view(), uplo, 64);
    for (std::size_t b = 0; b < places.size(); ++b) {
      EXPECT_EQ(info[b], places[b] + 1);
      EXPECT_TRUE(same_factor(good, result, static_cast<std::int64_t>(b), uplo, places[b])) << places[b];
    }
    EXPECT_EQ(info.back(), 0);
    EXPECT_TRUE(same_factor(good, result, 8, uplo, n));
    EXPECT_FALSE(verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                               verify::nan_poison<T>()));
  }
}

TYPED_TEST(BlockedKernel, KeepsItsStatusInTheWorkspaceWithoutInfo) {
  using T = TypeParam;
  HostBatch<T> good = make_items<T>(square(100, 0, 3), Uplo::Lower), result = with_bad_pivots(good, {70, 3});
  HostBatch<T> expected = good;
  factor(expected.view(), Uplo::Lower, 64);
  const std::size_t bytes = potrf_kernels::blocked_buffer_size(3, false);
  EXPECT_GE(bytes, 3 * sizeof(std::int32_t));
  std::vector<std::byte> memory(bytes, std::byte{0xff});
  potrf_kernels::launch_blocked(
      device::host::Executor{},
      potrf_kernels::Args<T>{device::make_batch(result.view()), Uplo::Lower, nullptr}, 64, memory);
  EXPECT_TRUE(same_factor(expected, result, 0, Uplo::Lower, 70));
  EXPECT_TRUE(same_factor(expected, result, 1, Uplo::Lower, 3));
  EXPECT_TRUE(same_factor(expected, result, 2, Uplo::Lower, 100));
}

TYPED_TEST(BlockedKernel, RefusesWhatItCannotRun) {
  using potrf_kernels::blocked_refusal;
  const DeviceFacts facts = facts_like_h200();
  for (const int nb : {64, 128})
    for (const std::int64_t n : {1, 64, 65, 20000})
      EXPECT_EQ(blocked_refusal<TypeParam>(n, false, nb, facts), nullptr);
  for (const int nb : {0, 4, 60, 136}) EXPECT_NE(blocked_refusal<TypeParam>(1000, false, nb, facts), nullptr);
  EXPECT_NE(blocked_refusal<TypeParam>(1000, true, 64, facts), nullptr);
  DeviceFacts other = facts;
  other.sub_group_size = 1;
  EXPECT_NE(blocked_refusal<TypeParam>(1000, false, 64, other), nullptr);
  other = facts;
  other.max_work_group = 128;
  EXPECT_EQ(blocked_refusal<TypeParam>(64, false, 64, other), nullptr);
  EXPECT_NE(blocked_refusal<TypeParam>(1000, false, 64, other), nullptr);
  other = facts;
  other.local_bytes = 16384;
  EXPECT_NE(blocked_refusal<TypeParam>(1000, false, 64, other), nullptr);
}

// What is not refused fits: the layouts of a step that has rows below.
TYPED_TEST(BlockedKernel, LayoutsFitWhereNotRefused) {
  using namespace potrf_kernels;
  const DeviceFacts facts = facts_like_h200();
  for (const int nb : {64, 128}) {
    BlockStep<TypeParam> step;
    step.A.rows = 1000;
    step.A.count = 1000;
    step.width = nb;
    EXPECT_LE((PotrfLeaf<TypeParam>{step}.layout().local_bytes), facts.local_bytes);
    EXPECT_LE((PotrfPanelSolve<TypeParam>{step, blocked_solve_rows<TypeParam>(nb)}.layout().local_bytes),
              facts.local_bytes);
    EXPECT_LE((PotrfTrailingUpdate<TypeParam, 64>{step}.layout().local_bytes), 48 * 1024 + 8192);
    EXPECT_EQ((PotrfTrailingUpdate<TypeParam, 64>{step}.tiles().count()), nb == 64 ? 120 : 105);
  }
}

TEST(BlockedBuffer, HoldsOneStatusAnItem) {
  EXPECT_EQ(potrf_kernels::blocked_buffer_size(1000, true), 0u);
  EXPECT_EQ(potrf_kernels::blocked_buffer_size(64, false), 256u);
  EXPECT_EQ(potrf_kernels::blocked_buffer_size(65, false), 512u);
}

TEST(TriangleFold, VisitsEveryTileOnce) {
  for (int tiles = 1; tiles <= 20; ++tiles)
    for (const int step : {1, 3, 64}) {
      const tile::TriangleFold fold(tiles);
      std::vector<int> seen(static_cast<std::size_t>(tiles) * tiles, 0);
      for (int first = 0; first < step; ++first)
        for (tile::TriangleWalk walk(fold, first, step); walk.inside(); walk.next()) {
          const auto tile = walk.tile();
          ASSERT_TRUE(0 <= tile.col && tile.col <= tile.row && tile.row < tiles);
          ++seen[static_cast<std::size_t>(tile.row) * tiles + tile.col];
        }
      int visits = 0;
      for (const int count : seen) {
        EXPECT_LE(count, 1);
        visits += count;
      }
      EXPECT_EQ(visits, fold.count());
    }
}

}  // namespace
}  // namespace batchlas::potrf_tests
