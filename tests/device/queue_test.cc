// Queues, events, scratch memory and arrays on the CPU.
#include "batchlas/queue.hh"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "batchlas/device_array.hh"
#include "device/state.hh"

namespace batchlas {
namespace {

using detail::Arena;

bool is_aligned(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % workspace_alignment == 0;
}

TEST(Arena, LeasesAreAlignedAndDisjoint) {
  Arena arena(Device::cpu());
  arena.reserve(10000);  // so that they share a block
  Arena::Lease first(arena, 1), second(arena, 300), third(arena, 256), none(arena, 0);
  for (const Arena::Lease* lease : {&first, &second, &third})
    EXPECT_TRUE(is_aligned(lease->workspace().data()));
  EXPECT_EQ(first.workspace().size(), 1u);
  EXPECT_EQ(second.workspace().size(), 300u);
  EXPECT_TRUE(none.workspace().empty());
  std::memset(first.workspace().data(), 1, 1);
  std::memset(second.workspace().data(), 2, 300);
  std::memset(third.workspace().data(), 3, 256);
  EXPECT_EQ(first.workspace()[0], std::byte{1});
  EXPECT_EQ(second.workspace()[299], std::byte{2});
}

TEST(Arena, BlocksNeverMove) {
  Arena arena(Device::cpu());
  Arena::Lease lease(arena, 1000);
  const Workspace before = lease.workspace();
  std::memset(before.data(), 42, before.size());
  for (std::size_t bytes = 1000; bytes < 10'000'000; bytes *= 3) {
    arena.reserve(bytes);
    Arena::Lease inner(arena, bytes);
    std::memset(inner.workspace().data(), 0, bytes);
  }
  EXPECT_EQ(lease.workspace().data(), before.data());
  for (std::byte b : before) ASSERT_EQ(b, std::byte{42});
}

TEST(Arena, LeasesAreAStack) {
  Arena arena(Device::cpu());
  arena.reserve(10000);
  Arena::Lease outer(arena, 1000);
  const std::byte* inner_memory = nullptr;
  for (int i = 0; i < 3; ++i) {
    Arena::Lease inner(arena, 2000), innermost(arena, 100);
    if (i == 0) inner_memory = inner.workspace().data();
    EXPECT_EQ(inner.workspace().data(), inner_memory);
    EXPECT_EQ(innermost.workspace().data(), inner_memory + 2048);
  }
}

TEST(Arena, ReserveServesLaterLeasesWithoutGrowth) {
  Arena arena(Device::cpu());
  arena.set_growth_allowed(false);
  EXPECT_THROW(arena.reserve(5000), std::invalid_argument);
  arena.set_growth_allowed(true);
  arena.reserve(5000);
  arena.set_growth_allowed(false);
  for (int i = 0; i < 2; ++i) Arena::Lease lease(arena, 5000);
  try {
    Arena::Lease lease(arena, 6000);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("6144 bytes"), std::string::npos) << error.what();
  }
}

TEST(Queue, EventsAreCompleteAndTimed) {
  Queue queue(Device::cpu());
  const Event start = queue.record();
  volatile double sink = 0;
  for (int i = 0; i < 100000; ++i) sink = sink + i;
  const Event end = queue.record();
  EXPECT_TRUE(start.query());
  end.wait();
  queue.wait();
  queue.wait(end);
  queue.wait(Event{});
  EXPECT_GT(elapsed_ms(start, end), 0);
  EXPECT_LT(elapsed_ms(end, start), 0);
  EXPECT_TRUE(Event{}.query());
  Event{}.wait();
  EXPECT_THROW(elapsed_ms(Event{}, end), std::invalid_argument);
  EXPECT_THROW(elapsed_ms(start, Event{}), std::invalid_argument);
}

TEST(Queue, KeepsItsStateWhenMoved) {
  Queue queue(Device::host_executor());
  queue.set_workspace_budget(12345);
  Queue moved(std::move(queue));
  EXPECT_EQ(moved.workspace_budget(), 12345u);
  EXPECT_EQ(moved.device().kind(), DeviceKind::HostExecutor);
  moved = Queue(Device::cpu());
  EXPECT_EQ(moved.workspace_budget(), 0u);
  EXPECT_EQ(moved.device().kind(), DeviceKind::Cpu);
}

TEST(DeviceArray, HoldsWhatIsCopied) {
  for (const Device& device : {Device::cpu(), Device::host_executor()}) {
    Queue queue(device);
    std::vector<double> in(1000), out(1000);
    std::iota(in.begin(), in.end(), 0.0);
    DeviceArray<double> array(device, 1000);
    EXPECT_TRUE(is_aligned(array.data()));
    EXPECT_EQ(array.size(), 1000);
    copy(queue, array.span(), in);
    DeviceArray<double> moved(std::move(array));
    copy<double>(queue, out, moved.span());
    queue.wait();
    EXPECT_EQ(out, in);
  }
}

TEST(DeviceArray, WrongSizesAreErrors) {
  Queue queue(Device::cpu());
  DeviceArray<int> array(Device::cpu(), 10), empty(Device::cpu(), 0);
  std::vector<int> host(11);
  EXPECT_THROW(copy(queue, array.span(), host), std::invalid_argument);
  EXPECT_THROW(copy<int>(queue, host, array.span()), std::invalid_argument);
  copy(queue, empty.span(), std::span<const int>{});
  EXPECT_EQ(empty.data(), nullptr);
  EXPECT_THROW(DeviceArray<int>(Device::cpu(), -1), std::invalid_argument);
}

}  // namespace
}  // namespace batchlas
