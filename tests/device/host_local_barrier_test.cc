// LocalBarrier and bulk copies on the host executor: the phases of PTX's mbarrier, and every way to get stuck
// on one.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "host_run.hh"

namespace batchlas::device_test {
namespace {

using device::LocalBarrier;

/// Rotates values through local memory, with a LocalBarrier as the group's barrier.
struct Rotate {
  static constexpr int group_size = 64;
  int* out;
  int rounds;
  bool with_wait;

  template <class Group>
  void operator()(const Group& g) const {
    LocalBarrier& barrier = *g.template local<LocalBarrier>(0);
    int* values = g.template local<int>(16);
    if (g.rank() == 0) g.init(barrier, g.size());
    g.barrier();
    int value = g.rank(), parity = 0;
    const auto meet = [&] {
      g.arrive(barrier);
      if (with_wait) g.wait(barrier, parity);
      parity ^= 1;
    };
    for (int round = 0; round < rounds; ++round) {
      values[g.rank()] = value;
      meet();
      value = values[(g.rank() + 1) % g.size()];
      meet();
    }
    out[g.rank()] = value;
  }
};

TEST(HostLocalBarrier, IsABarrierForManyPhases) {
  std::vector<int> out(64), expected(64);
  for (int i = 0; i < 64; ++i) expected[i] = (i + 5) % 64;
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    run(Rotate{out.data(), 5, true}, {2, 64, 16 + 256}, options);
    EXPECT_EQ(out, expected) << to_string(options);
  }
  const std::string error = error_of(Rotate{out.data(), 5, false}, {1, 64, 16 + 256});
  EXPECT_TRUE(contains(error, "Group::arrive") || out != expected) << error;
}

/// Sums `tiles` rows of 64 doubles that arrive by bulk copies through a ring of three stages: work-item 63
/// feeds, all consume. Barriers: full[s] counts the feeder and its bytes, empty[s] the consumers.
struct Ring {
  static constexpr int group_size = 64;
  static constexpr int stages = 3;
  static constexpr int tile_bytes = 64 * 8;
  static constexpr std::int64_t local_bytes = 48 + stages * tile_bytes;
  const double* in;
  double* out;
  int tiles;
  bool waits_for_empty;

  template <class Group>
  void operator()(const Group& g) const {
    LocalBarrier* full = g.template local<LocalBarrier>(0);
    LocalBarrier* empty = full + stages;
    double* local = g.template local<double>(48);
    const bool feeds = g.rank() == 63;
    if (g.rank() == 0) {
      for (int s = 0; s < stages; ++s) g.init(full[s], 1), g.init(empty[s], g.size());
    }
    g.barrier();
    const auto feed = [&](int tile) {
      const int s = tile % stages, parity = tile / stages % 2;
      if (!feeds || tile >= tiles) return;
      if (waits_for_empty) g.wait(empty[s], parity ^ 1);  // passes at once in the first round
      g.arrive_expect(full[s], tile_bytes);
      g.bulk_copy(local + s * 64, in + tile * 64, tile_bytes / 2, full[s]);
      g.bulk_copy(local + s * 64 + 32, in + tile * 64 + 32, tile_bytes / 2, full[s]);
    };
    double sum = 0;
    for (int tile = 0; tile < stages - 1; ++tile) feed(tile);
    for (int tile = 0; tile < tiles; ++tile) {
      const int s = tile % stages, parity = tile / stages % 2;
      feed(tile + stages - 1);
      g.wait(full[s], parity);
      sum += local[s * 64 + 63 - g.rank()];
      g.arrive(empty[s]);
    }
    out[g.rank()] = sum;
  }
};

TEST(HostLocalBarrier, RingOfBulkCopiesIsRightInEveryOrder) {
  std::vector<double> in(10 * 64), out(64), expected(64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i * i % 101);
  for (std::size_t i = 0; i < in.size(); ++i) expected[63 - i % 64] += in[i];
  int wrong = 0;
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    run(Ring{in.data(), out.data(), 10, true}, {2, 64, Ring::local_bytes}, options);
    EXPECT_EQ(out, expected) << to_string(options);
    // Either the sums are wrong, or a barrier is used beyond its counts.
    const std::string error =
        error_of(Ring{in.data(), out.data(), 10, false}, {1, 64, Ring::local_bytes}, options);
    wrong += error != "" || out != expected;
  }
  EXPECT_GT(wrong, 0);
}

/// Reads the target of a bulk copy before, or without, waiting for it.
struct ReadEarly {
  static constexpr int group_size = 1;
  const double* in;
  double* out;

  template <class Group>
  void operator()(const Group& g) const {
    LocalBarrier& barrier = *g.template local<LocalBarrier>(0);
    double* local = g.template local<double>(16);
    local[0] = local[1] = -1;
    g.init(barrier, 1);
    g.bulk_copy(local, in, 16, barrier);
    out[0] = local[1];
    g.arrive_expect(barrier, 16);
    out[1] = local[1];
    g.wait(barrier, 0);
    out[2] = local[1];
  }
};

TEST(HostLocalBarrier, MissingWaitShowsAsNaN) {
  alignas(16) const double in[2] = {3, 4};
  double out[3];
  run(ReadEarly{in, out}, {1, 1, 32});
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 4);
}

/// Work-item 0 sets up a barrier and does one thing to it; everyone then waits `waits` times.
struct OneBarrier {
  static constexpr int group_size = 32;
  int arrivals, arrive;
  std::int64_t expect_bytes, copy_bytes;
  bool init, wait;

  template <class Group>
  void operator()(const Group& g) const {
    LocalBarrier& barrier = *g.template local<LocalBarrier>(0);
    alignas(16) static const char source[256] = {};
    if (g.rank() == 0) {
      if (init) g.init(barrier, arrivals);
      if (copy_bytes) g.bulk_copy(g.template local<char>(16), source, copy_bytes, barrier);
      if (expect_bytes) g.arrive_expect(barrier, expect_bytes);
      if (arrive) g.arrive(barrier, arrive);
    }
    g.barrier();
    if (wait) g.wait(barrier, 0);
  }
};

std::string error_of(const OneBarrier& kernel) {
  return device_test::error_of(kernel, {1, 32, 16 + 128});
}

TEST(HostLocalBarrier, CompletesWithItsLastArrivalAndByte) {
  EXPECT_EQ(error_of(OneBarrier{3, 3, 0, 0, true, true}), "");
  EXPECT_EQ(error_of(OneBarrier{3, 2, 64, 64, true, true}), "");
  EXPECT_EQ(error_of(OneBarrier{1, 0, 64, 64, true, true}), "")
      << "a copy may end before its bytes are expected";
}

TEST(HostLocalBarrier, DeadlockNamesThePlaceAndWhatIsMissing) {
  std::string error = error_of(OneBarrier{3, 2, 0, 0, true, true});
  EXPECT_TRUE(contains(error, "Group::wait at ")) << error;
  EXPECT_TRUE(contains(error, "host_local_barrier_test.cc:")) << error;
  EXPECT_TRUE(contains(error, "reached by work-items 0-31")) << error;
  EXPECT_TRUE(contains(error, "misses 1 arrivals and 0 bytes")) << error;
  error = error_of(OneBarrier{1, 0, 80, 64, true, true});
  EXPECT_TRUE(contains(error, "misses 0 arrivals and 16 bytes")) << error;
}

TEST(HostLocalBarrier, MisuseIsAnError) {
  EXPECT_TRUE(contains(error_of(OneBarrier{1, 1, 0, 0, false, false}), "never initialised"));
  EXPECT_TRUE(contains(error_of(OneBarrier{2, 3, 0, 0, true, false}), "3 arrivals where the phase misses 2"));
  EXPECT_TRUE(contains(error_of(OneBarrier{0, 0, 0, 0, true, false}), "0 arrivals, expected"));
  EXPECT_TRUE(contains(error_of(OneBarrier{1, 0, 1 << 20, 0, true, false}), "expects 1048576 bytes"));
  EXPECT_TRUE(contains(error_of(OneBarrier{1, 0, 24, 24, true, true}), "multiple of 16"));
  EXPECT_TRUE(contains(error_of(OneBarrier{1, 0, 144, 144, true, true}), "of local memory"));
  const std::string error = error_of(OneBarrier{1, 0, 64, 64, true, false});
  EXPECT_TRUE(contains(error, "nobody waited for the Group::bulk_copy at")) << error;
}

}  // namespace
}  // namespace batchlas::device_test
