// Every candidate of potrf, pinned: right factors on shapes that straddle its limits, and a refusal of every
// other.
#include "potrf_support.hh"

namespace batchlas::ops_tests {
namespace {

using PotrfCandidate = CandidateTest;

/// Orders around everything that the families deal work by: registers, panels, sub-groups, tiles, blocks.
std::vector<std::int64_t> orders_of(const Case& which) {
  std::vector<std::int64_t> orders;
  if (which.target.kind == DeviceKind::Cpu) {
    for (std::int64_t n = 1; n <= 70; ++n) orders.push_back(n);
    return orders;
  }
  if (which.family() == "tiny")
    orders = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65};
  else
    orders = {1, 7, 8, 9, 16, 31, 32, 33, 63, 64, 65, 100};
  if (which.target.kind == DeviceKind::Cuda) orders.insert(orders.end(), {128, 129, 150, 200, 257});
  // The variants of the host executor repeat what the plain one has run.
  if (which.target.name.starts_with("host_")) orders = {1, 3, 8, 17, 33, 48, 65};
  return orders;
}

/// Enough for a second group of `tiny` and a second pack of `lanes`, each of them incomplete.
std::int64_t batch_of(const Case& which, std::int64_t n) {
  if (which.target.kind == DeviceKind::Cpu) return n <= 16 ? 19 : 3;
  return n <= 4 ? 35 : n <= 8 ? 17 : 2;
}

std::vector<Layout> layouts_of(const Case& which, std::int64_t n) {
  const std::int64_t batch = batch_of(which, n);
  std::vector<Layout> layouts = {square(n, batch), square(n, batch, 3)};
  if (n % 8 == 0 || n % 8 == 1) {
    layouts.push_back(square(n, batch, 3));
    layouts.back().pointers = true;
  }
  return layouts;
}

template <class T>
void expect_as_explained(Queue& queue, const Case& which, const Layout& layout, Uplo uplo,
                         const std::string& refusal) {
  SCOPED_TRACE(describe(layout, uplo));
  HostBatch<T> original = make_items<T>(layout, uplo), result = original;
  if (refusal.empty()) {
    const Info info = factor(queue, which.candidate, result, uplo);
    expect_factored(which, original, result, uplo, info);
  } else {
    const std::string message = refused([&] { factor(queue, which.candidate, result, uplo); });
    EXPECT_NE(message.find("potrf: choice \"" + which.candidate + '"'), message.npos) << message;
    if (!which.vendor()) EXPECT_NE(message.find(refusal), message.npos) << message;
  }
}

TEST_P(PotrfCandidate, FactorsWhatItDoesNotRefuse) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : orders_of(which()))
      for (const Uplo uplo : uplos) {
        const std::string refusal = this->refusal(facts_of(n, batch_of(which(), n), uplo));
        if (refusal.empty())
          for (const Layout& layout : layouts_of(which(), n))
            expect_as_explained<T>(queue(), which(), layout, uplo, refusal);
        else
          expect_as_explained<T>(queue(), which(), square(n, 2), uplo, refusal);
      }
  });
}

/// A call of any order without the memory for it: for calls that throw.
template <class T>
std::string refusal_of_call(Queue& queue, const std::string& candidate, std::int64_t n) {
  const DeviceArray<T> memory(queue.device(), 64);
  const MatrixView<T> A{.data = memory.data(), .rows = n, .cols = n};
  const StrictPin pin("potrf", candidate);
  const std::string message = refused([&] { potrf(queue, A); });
  EXPECT_EQ(refused([&] { potrf_buffer_size(queue, A); }), message);
  return message;
}

using PotrfLimit = CandidateTest;

// The largest order that explain allows runs, and the next one is refused.
TEST_P(PotrfLimit, IsWhereExplainSays) {
  const auto runs = [&](std::int64_t n) { return refusal(facts_of(n, 1, Uplo::Lower)).empty(); };
  constexpr std::int64_t beyond = std::int64_t{1} << 22;
  const std::int64_t affordable = on(DeviceKind::Cuda) ? 4096 : 520;
  std::int64_t limit = 0;
  for (std::int64_t step = beyond; step > 0; step /= 2)
    if (limit + step < beyond && runs(limit + step)) limit += step;
  RecordProperty("limit", std::to_string(limit));
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    if (limit + 1 < beyond) {
      const std::string message = refusal_of_call<T>(queue(), which().candidate, limit + 1);
      EXPECT_NE(message.find("potrf: choice \"" + which().candidate + '"'), message.npos) << message;
    }
    if (limit > 0 && limit <= affordable)
      for (const Uplo uplo : uplos) expect_as_explained<T>(queue(), which(), square(limit, 1, 3), uplo, "");
  });
}

INSTANTIATE_TEST_SUITE_P(Cpu, PotrfCandidate, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfCandidate, ::testing::ValuesIn(cases("potrf", {host})), case_name);
INSTANTIATE_TEST_SUITE_P(HostVariant, PotrfCandidate, ::testing::ValuesIn(cases("potrf", host_variants)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfCandidate, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);
INSTANTIATE_TEST_SUITE_P(Cpu, PotrfLimit, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfLimit, ::testing::ValuesIn(cases("potrf", {host})), case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfLimit, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);

// The vendor is a candidate of every build, and runs in those that have one.
TEST(PotrfVendor, RunsWhereItIsLinked) {
  HostBatch<double> original = make_items<double>(square(5, 2), Uplo::Lower), result = original;
  Queue queue{Device::cpu()};
  const auto call = [&] { factor(queue, "vendor", result, Uplo::Lower); };
#ifdef BATCHLAS_TEST_VENDOR_FREE
  EXPECT_FALSE(Device::cpu().facts().has_vendor);
  EXPECT_NE(refused(call).find("\"vendor\" refused"), std::string::npos);
  EXPECT_TRUE(same_storage(original, result));
#else
  EXPECT_TRUE(Device::cpu().facts().has_vendor);
  EXPECT_EQ(refused(call), "");
#endif
}

}  // namespace
}  // namespace batchlas::ops_tests
