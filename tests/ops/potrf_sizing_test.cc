// Workspace of potrf's candidates: exactly potrf_buffer_size bytes suffice, nothing past them is written,
// less is refused; a budget on the queue changes no bit.
#include "potrf_support.hh"

namespace batchlas::ops_tests {
namespace {

using PotrfSizing = PotrfTest;

constexpr std::byte arena_poison{0xa5};
constexpr std::size_t margin = 4 * workspace_alignment;

/// Device memory with a margin on both sides of a workspace.
class PoisonedArena {
 public:
  PoisonedArena(Queue& queue, std::size_t bytes)
      : queue_(queue), bytes_(bytes), memory_(queue.device(), static_cast<std::int64_t>(bytes + 2 * margin)) {
    const std::vector<std::byte> fill(bytes + 2 * margin, arena_poison);
    copy(queue, memory_.span(), fill);
    queue.wait();
  }
  Workspace workspace() const { return {memory_.data() + margin, bytes_}; }
  bool margins_intact() const { return intact(0, margin) && intact(margin + bytes_, margin); }

 private:
  bool intact(std::size_t first, std::size_t count) const {
    std::vector<std::byte> now(bytes_ + 2 * margin);
    copy(queue_, std::span(now), memory_.span());
    queue_.wait();
    return std::all_of(now.begin() + first, now.begin() + first + count,
                       [](std::byte b) { return b == arena_poison; });
  }
  Queue& queue_;
  std::size_t bytes_;
  DeviceArray<std::byte> memory_;
};

/// The options of a call with or without info, which lives on the device.
struct Options {
  DeviceArray<std::int32_t> info;
  PotrfOptions value;
  Options(Queue& queue, std::int64_t batch, Uplo uplo, bool with_info)
      : info(queue.device(), with_info ? batch : 0), value{.uplo = uplo, .info = info} {}
};

TEST_P(PotrfSizing, ExactlyTheQueriedBytesSuffice) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    // Beyond one block of each width of `blocked`.
    const std::int64_t largest = which().candidate == "blocked:nb=128" ? 130 : 70;
    for (const std::int64_t n : runnable({5, 33, largest}))
      for (const bool with_info : {false, true}) {
        const Uplo uplo = n % 2 ? Uplo::Upper : Uplo::Lower;
        HostBatch<T> original = make_items<T>(square(n, 5, 1), uplo), leased = original, given = original;
        const Options options(queue(), 5, uplo, with_info);
        const StrictPin pin("potrf", which().candidate);

        const OnDevice<T> A(queue(), original);
        const std::size_t bytes = potrf_buffer_size(queue(), A.view(), options.value);
        const PoisonedArena arena(queue(), bytes);
        potrf(queue(), A.view(), options.value, arena.workspace()).wait();
        A.read_back(given);
        EXPECT_TRUE(arena.margins_intact()) << n;

        const OnDevice<T> B(queue(), original);
        potrf(queue(), B.view(), options.value).wait();
        B.read_back(leased);
        EXPECT_TRUE(same_storage(leased, given)) << n;
        expect_small_ratio(which(), original, given, uplo);
      }
  });
}

TEST_P(PotrfSizing, LessOrMisalignedIsRefusedWithBothNumbers) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable({5, 70})) {
      const HostBatch<T> original = make_items<T>(square(n, 3), Uplo::Lower);
      HostBatch<T> after = original;
      const OnDevice<T> A(queue(), original);
      const StrictPin pin("potrf", which().candidate);
      const std::size_t bytes = potrf_buffer_size(queue(), A.view());
      if (bytes == 0) continue;
      const PoisonedArena arena(queue(), bytes + workspace_alignment);
      const auto call = [&](std::size_t offset, std::size_t size) {
        return refused([&] { potrf(queue(), A.view(), {}, arena.workspace().subspan(offset, size)); });
      };
      EXPECT_EQ(call(0, bytes - 1), "potrf: workspace is " + std::to_string(bytes - 1) +
                                        " bytes, expected at least " + std::to_string(bytes));
      EXPECT_EQ(call(0, 0), "potrf: workspace is 0 bytes, expected at least " + std::to_string(bytes));
      EXPECT_EQ(call(8, bytes),
                "potrf: workspace is 8 bytes past an aligned address, expected alignment to 256");
      A.read_back(after);
      EXPECT_TRUE(same_storage(original, after));
      EXPECT_EQ(call(0, bytes), "");
      queue().wait();
    }
  });
}

// Chunks run the choice of the whole batch, and an item does not see its place in a chunk.
TEST_P(PotrfSizing, ABudgetChangesNoBit) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    constexpr std::int64_t batch = 131;
    for (const std::int64_t n : runnable({5}))
      for (const bool with_info : {false, true}) {
        const HostBatch<T> original = make_items<T>(square(n, batch, 1), Uplo::Lower);
        HostBatch<T> whole = original, chunked = original;
        const Options options(queue(), batch, Uplo::Lower, with_info);
        const StrictPin pin("potrf", which().candidate);
        for (HostBatch<T>* result : {&whole, &chunked}) {
          Queue own(queue().device());
          const OnDevice<T> A(own, original);
          // Two items' worth: the last of the odd batch is a chunk of its own, for which cuSOLVER takes
          // another form.
          PotrfOptions two = options.value;
          if (with_info) two.info = two.info.first(2);
          const std::size_t budget = potrf_buffer_size(own, A.view().slice(0, 2), two);
          if (result == &chunked) own.set_workspace_budget(std::max(budget, workspace_alignment));
          Trace::get().take();
          potrf(own, A.view(), options.value).wait();
          EXPECT_TRUE(ran(Trace::get().take(), which().candidate));
          A.read_back(*result);
        }
        if (!which().vendor()) EXPECT_TRUE(same_storage(whole, chunked));
        HostBatch<T> input = original;
        expect_small_ratio(which(), input, chunked, Uplo::Lower);
      }
  });
}

// Without the caller's info `blocked` keeps a status of each item: 4 bytes, rounded up to the alignment.
TEST(PotrfSizingOfBlocked, HoldsAStatusAnItem) {
  Queue queue(host.open());
  const HostBatch<float> batch = make_items<float>(square(5, 300), Uplo::Lower);
  const OnDevice<float> A(queue, batch);
  const DeviceArray<std::int32_t> info(queue.device(), 300);
  const StrictPin pin("potrf", "blocked:nb=64");
  EXPECT_EQ(potrf_buffer_size(queue, A.view()), 1280u);
  EXPECT_EQ(potrf_buffer_size(queue, A.view(), {.info = info}), 0u);
}

INSTANTIATE_TEST_SUITE_P(Cpu, PotrfSizing, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfSizing, ::testing::ValuesIn(cases("potrf", {host})), case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfSizing, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);

}  // namespace
}  // namespace batchlas::ops_tests
