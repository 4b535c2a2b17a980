// The `cta` kernel on the host executor: sizes around panel, tile and sub-group, layouts, failing pivots,
// lane orders.
#include "ops/potrf/kernels/cta.hh"

#include "resident_support.hh"

namespace batchlas::potrf_tests {
namespace {

template <class T>
std::vector<std::int32_t> factor(const MatrixView<T>& A, Uplo uplo, const HostExecutorOptions& options = {}) {
  std::vector<std::int32_t> info(A.batch, -99);
  potrf_kernels::launch_cta(device::host::Executor{options},
                            potrf_kernels::Args<T>{device::make_batch(A), uplo, info.data()});
  return info;
}

template <class T>
void expect_good_factors(const Layout& layout, Uplo uplo, const HostExecutorOptions& options = {}) {
  SCOPED_TRACE(describe(uplo, layout));
  HostBatch<T> original = make_items<T>(layout, uplo), result = original;
  const auto info = factor(result.view(), uplo, options);
  expect_factored(original, result, uplo, info);
}

template <class T>
class CtaKernel : public ::testing::Test {};
TYPED_TEST_SUITE(CtaKernel, Scalars);

TYPED_TEST(CtaKernel, FactorsSizesAroundPanelsAndTiles) {
  for (const Uplo uplo : uplos)
    for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129})
      for (const int gap : {0, 3}) expect_good_factors<TypeParam>(square(n, gap, 2), uplo);
}

// The largest order, with more rows below a panel than work-items where the triangle is one of floats.
TYPED_TEST(CtaKernel, RunsWhatIsNotRefused) {
  const DeviceFacts facts = facts_like_h200();
  int n = 1;
  while (!potrf_kernels::cta_refusal<TypeParam>(n + 1, facts)) ++n;
  const int least[] = {330, 230, 160};
  EXPECT_GE(n, least[sizeof(TypeParam) / 8]);
  EXPECT_NE(potrf_kernels::cta_refusal<TypeParam>(n + 16, facts), nullptr);
  EXPECT_LE(potrf_kernels::PotrfCta<TypeParam>::layout(1, n).local_bytes, facts.local_bytes);
  expect_good_factors<TypeParam>(square(n), Uplo::Lower);
  expect_good_factors<TypeParam>(square(n, 3), Uplo::Upper);
}

TYPED_TEST(CtaKernel, TakesPointerArrays) {
  Layout layout = square(65, 3, 5);
  layout.pointers = true;
  for (const Uplo uplo : uplos) expect_good_factors<TypeParam>(layout, uplo);
}

TYPED_TEST(CtaKernel, HoldsInEveryLaneOrderAndSubGroup) {
  const HostExecutorOptions all[] = {{.order = LaneOrder::Down},
                                     {.order = LaneOrder::Shuffled, .seed = 1},
                                     {.order = LaneOrder::Shuffled, .seed = 2, .sub_group_size = 8},
                                     {.order = LaneOrder::Down, .sub_group_size = 64}};
  for (const Uplo uplo : uplos)
    for (const int n : {47, 100, 150}) {
      HostBatch<TypeParam> up = make_items<TypeParam>(square(n, 1), uplo);
      const HostBatch<TypeParam> original = up;
      factor(up.view(), uplo);
      for (const HostExecutorOptions& options : all) {
        SCOPED_TRACE(describe(uplo, up.layout()));
        HostBatch<TypeParam> other = original;
        EXPECT_EQ(factor(other.view(), uplo, options)[0], 0);
        EXPECT_TRUE(same_factor(up, other, 0, uplo, n));
      }
    }
}

TYPED_TEST(CtaKernel, UpperIsTheConjugateTransposeOfLower) {
  for (const int n : {9, 33, 100}) {
    auto lower = make_items<TypeParam>(square(n), Uplo::Lower),
         upper = make_items<TypeParam>(square(n), Uplo::Upper);
    factor(lower.view(), Uplo::Lower);
    factor(upper.view(), Uplo::Upper);
    expect_conjugate_transposes(lower, upper);
  }
}

TYPED_TEST(CtaKernel, FollowsItemExtents) {
  using T = TypeParam;
  const std::vector<std::int64_t> rows = {70, 0, 33, -1, 71, 5, 64}, cols = {70, 0, 33, -1, 71, 6, 64};
  const std::vector<std::int32_t> expected = {0, 0, 0, -2, -2, -2, 0};
  for (const Uplo uplo : uplos) {
    Layout layout = square(70, 2, 7);
    layout.item_rows =
        layout.item_cols = {70, 0, 33, 70, 70, 70, 64};  // the invalid ones full, for the oracle to read
    HostBatch<T> original = make_items<T>(layout, uplo), result = original;
    MatrixView<T> view = result.view();
    view.item_rows = rows.data();
    view.item_cols = cols.data();
    const auto info = factor(view, uplo);
    EXPECT_EQ(info, expected);
    const auto check = verify::check_potrf(original.view(), result.view(), uplo, info);
    EXPECT_TRUE(check.ok()) << verify::describe(check);
    for (const int b : {3, 4, 5}) EXPECT_TRUE(same_factor(original, result, b, uplo, 70)) << b;
    EXPECT_FALSE(verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                               verify::nan_poison<T>()));
  }
}

TYPED_TEST(CtaKernel, ReportsTheFirstFailingPivot) {
  using T = TypeParam;
  constexpr int n = 100;
  const std::vector<int> places = {0, 1, 7, 8, 31, 32, 40, 63, 64, 95, 96, 99};
  for (const Uplo uplo : uplos) {
    HostBatch<T> good = make_items<T>(square(n, 0, 13), uplo), result = with_bad_pivots(good, places);
    const auto info = factor(result.view(), uplo);
    factor(good.view(), uplo);
    for (std::size_t b = 0; b < places.size(); ++b) {
      EXPECT_EQ(info[b], places[b] + 1);
      EXPECT_TRUE(same_factor(good, result, static_cast<std::int64_t>(b), uplo, places[b])) << places[b];
    }
    EXPECT_EQ(info.back(), 0);
    EXPECT_TRUE(same_factor(good, result, 12, uplo, n));
    EXPECT_FALSE(verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                               verify::nan_poison<T>()));
  }
}

TYPED_TEST(CtaKernel, WorksWithoutInfo) {
  using T = TypeParam;
  HostBatch<T> original = make_items<T>(square(40), Uplo::Lower), result = original;
  potrf_kernels::launch_cta(device::host::Executor{},
                            potrf_kernels::Args<T>{device::make_batch(result.view()), Uplo::Lower, nullptr});
  EXPECT_TRUE(verify::check_potrf(original.view(), result.view(), Uplo::Lower).ok());
}

TEST(CtaRefusal, NamesTheReason) {
  using potrf_kernels::cta_refusal;
  DeviceFacts facts = facts_like_h200();
  EXPECT_EQ(cta_refusal<float>(64, facts), nullptr);
  EXPECT_NE(cta_refusal<float>(1'000'000, facts), nullptr);
  facts.sub_group_size = 1;
  EXPECT_NE(cta_refusal<float>(64, facts), nullptr);
  facts = facts_like_h200();
  facts.max_work_group = 64;
  EXPECT_EQ(cta_refusal<float>(64, facts), nullptr);
  EXPECT_NE(cta_refusal<float>(65, facts), nullptr);
  facts = facts_like_h200();
  facts.local_bytes = 8192;
  EXPECT_NE(cta_refusal<float>(64, facts), nullptr);
}

}  // namespace
}  // namespace batchlas::potrf_tests
