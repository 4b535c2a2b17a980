// Batches past the limits of launch grids: every item is factored, none twice, and none past the end.
#include "potrf_support.hh"

namespace batchlas::ops_tests {
namespace {

using PotrfLargeBatch = PotrfTest;

/// Items of squares: item b is diag(s^2) with s = 1 + b % 7, a good check of place and count that costs
/// nothing.
template <class T>
void expect_every_item(Queue& queue, const std::string& candidate, std::int64_t n, std::int64_t batch) {
  SCOPED_TRACE(candidate + " n=" + std::to_string(n) + " batch=" + std::to_string(batch));
  const auto root = [](std::int64_t b) { return Real<T>(1 + b % 7); };
  const Real<T> rounding = 2 * std::numeric_limits<Real<T>>::epsilon();
  HostBatch<T> items(square(n, batch));
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t i = 0; i < n; ++i) verify::item_of(items.view(), b)(i, i) = T(root(b) * root(b));
  verify::poison_outside(items.storage(), items.view(), verify::Part::Lower, verify::nan_poison<T>());
  const Info info = factor(queue, candidate, items, Uplo::Lower);
  for (std::int64_t b = 0; b < batch; ++b) {
    ASSERT_EQ(info[static_cast<std::size_t>(b)], 0) << b;
    const auto item = verify::item_of(items.view(), b);
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = j; i < n; ++i)
        ASSERT_LE(std::abs(item(i, j) - T(i == j ? root(b) : Real<T>(0))), rounding * root(b)) << b;
  }
  expect_poison_intact(items, Uplo::Lower);
}

TEST_P(PotrfLargeBatch, FactorsEveryItem) {
  const std::int64_t batches[] = {65535, 65536, 65537, (std::int64_t{1} << 19) + 1,
                                  (std::int64_t{1} << 20) + 3};
  const bool fiber_for_each_lane = on(DeviceKind::HostExecutor);
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n :
         runnable(fiber_for_each_lane ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 2}))
      for (const std::int64_t batch : batches) {
        if (fiber_for_each_lane && batch != 65537) continue;
        expect_every_item<T>(queue(), which().candidate, n, batch);
      }
  });
}

// Offsets of elements beyond 2^31, on a GPU alone: 17 GiB of floats.
TEST(PotrfLargeBatchCuda, PassesTwoToThe31Elements) {
  if (cuda.absent()) GTEST_SKIP() << "skipped: no CUDA device";
  Queue queue(cuda.open());
  constexpr std::int64_t n = 32, batch = (std::int64_t{1} << 22) + 5;
  if (queue.device().facts().memory_bytes < batch * n * n * 5)
    GTEST_SKIP() << "needs 20 GiB of device memory";
  const HostBatch<float> one = make_items<float>(square(n, 1), Uplo::Lower);
  const DeviceArray<float> memory(queue.device(), batch * n * n);
  const float* const item = one.storage().data() + one.layout().guard;
  const std::span<float> all = memory.span();
  copy(queue, all.first(n * n), std::span(item, n * n));
  for (std::size_t filled = n * n; filled < all.size(); filled *= 2) {
    const std::size_t more = std::min(filled, all.size() - filled);
    copy(queue, all.subspan(filled, more), all.first(more));
  }
  for (const char* candidate : {"tiny", "lpanel:panel=8", "cta", "blocked:nb=64"}) {
    const StrictPin pin("potrf", candidate);
    const DeviceArray<std::int32_t> info(queue.device(), batch);
    // Only the items at both ends are judged, and only they are filled anew.
    copy(queue, all.first(n * n), std::span(item, n * n));
    copy(queue, all.last(n * n), std::span(item, n * n));
    potrf(queue, MatrixView<float>{.data = memory.data(), .rows = n, .cols = n, .batch = batch},
          {.info = info});
    std::vector<float> first(n * n), last(n * n);
    copy(queue, std::span(first), all.first(n * n));
    copy(queue, std::span(last), all.last(n * n));
    queue.wait();
    EXPECT_EQ(std::memcmp(first.data(), last.data(), n * n * sizeof(float)), 0) << candidate;
    EXPECT_NE(std::memcmp(first.data(), item, n * n * sizeof(float)), 0) << candidate;
  }
}

/// On the host executor a work-item is a fiber: one scalar and one candidate of each way to launch will do.
std::vector<Case> host_cases() {
  std::vector<Case> some;
  for (const char* candidate : {"tiny", "lpanel:panel=8", "cta", "blocked:nb=64"})
    some.push_back({host, DType::Float, candidate});
  return some;
}

INSTANTIATE_TEST_SUITE_P(Cpu, PotrfLargeBatch, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfLargeBatch, ::testing::ValuesIn(host_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfLargeBatch, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);

}  // namespace
}  // namespace batchlas::ops_tests
