// The host executor shows barriers and shuffles that are missing, diverge, or reach across a width they
// assume.
#include <gtest/gtest.h>

#include <numeric>

#include "host_run.hh"

namespace batchlas::device_test {
namespace {

/// A work-item a row: writes it to local memory, reads the column of the same number.
struct Transpose {
  static constexpr int group_size = 64;
  const int* in;
  int* out;
  int n;
  bool with_barrier;

  template <class Group>
  void operator()(const Group& g) const {
    int* tile = g.template local<int>(0);
    for (int j = 0; j < n; ++j) tile[g.rank() * n + j] = in[g.rank() * n + j];
    if (with_barrier) g.barrier();
    for (int j = 0; j < n; ++j) out[g.rank() * n + j] = tile[j * n + g.rank()];
  }
};

int count_wrong_orders(int n, bool with_barrier) {
  std::vector<int> in(n * n), out(n * n), expected(n * n);
  std::iota(in.begin(), in.end(), 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) expected[i * n + j] = in[j * n + i];
  }
  int wrong = 0;
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    std::fill(out.begin(), out.end(), 0);
    run(Transpose{in.data(), out.data(), n, with_barrier}, {2, n, n * n * 4}, options);
    wrong += out != expected;
  }
  return wrong;
}

TEST(HostRendezvous, DroppedGroupBarrierShows) {
  for (int n = 33; n <= 64; ++n) {
    EXPECT_EQ(count_wrong_orders(n, true), 0) << n;
    EXPECT_GT(count_wrong_orders(n, false), 0) << n;
  }
}

/// Hands a value to the lane `step` below through local memory: right without a barrier in just one
/// direction.
struct Neighbour {
  static constexpr int group_size = 64;
  int* out;
  int step;
  bool with_barrier;

  template <class Group>
  void operator()(const Group& g) const {
    const auto sub = g.sub_group();
    int* values = g.template local<int>(0);
    values[g.rank()] = g.rank();
    if (with_barrier) sub.barrier();
    const int lane = (sub.lane() + step + sub.size()) % sub.size();
    out[g.rank()] = values[g.rank() - sub.lane() + lane];
  }
};

TEST(HostRendezvous, DroppedSubGroupBarrierShowsInOneOrder) {
  for (int step : {-1, 1}) {
    for (bool with_barrier : {false, true}) {
      int wrong = 0;
      for (const HostExecutorOptions& options : all_orders(8)) {
        std::vector<int> out(64), expected(64);
        for (int i = 0; i < 64; ++i) expected[i] = i / 8 * 8 + (i + step + 8) % 8;
        run(Neighbour{out.data(), step, with_barrier}, {1, 64, 256}, options);
        wrong += out != expected;
      }
      EXPECT_EQ(wrong > 0, !with_barrier) << step;
    }
  }
}

struct Divergent {
  static constexpr int group_size = 64;
  static constexpr int barrier_line = __LINE__ + 5;
  int absent;

  template <class Group>
  void operator()(const Group& g) const {
    if (g.rank() != absent) g.barrier();
  }
};

TEST(HostRendezvous, DivergentBarrierNamesLineAndMissingItem) {
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    const std::string error = error_of(Divergent{40}, {3, 64, 0}, options);
    EXPECT_TRUE(contains(error, "host_rendezvous_test.cc:" + std::to_string(Divergent::barrier_line)))
        << error;
    EXPECT_TRUE(contains(error, "Group::barrier")) << error;
    EXPECT_TRUE(contains(error, "never by 40 of its group")) << error;
    EXPECT_TRUE(contains(error, "work-items 40 have returned")) << error;
    EXPECT_TRUE(contains(error, "group 0")) << error;
  }
  EXPECT_EQ(error_of(Divergent{-1}, {3, 64, 0}), "");
}

struct TwoPlaces {
  static constexpr int group_size = 64;
  static constexpr int first_line = __LINE__ + 9;
  std::int64_t group;

  template <class Group>
  void operator()(const Group& g) const {
    const auto sub = g.sub_group();
    int value = g.rank();
    if (g.index() != group) return;
    if (sub.lane() % 2) {
      value = sub.shuffle(value, 0);
    } else {
      value = sub.shuffle(value, 0);
    }
  }
};

TEST(HostRendezvous, TwoPlacesInOneSubGroupDoNotMeet) {
  for (int width : {8, 32, 64}) {
    for (const HostExecutorOptions& options : all_orders(width)) {
      const std::string error = error_of(TwoPlaces{2}, {3, 64, 0}, options);
      for (int line : {TwoPlaces::first_line, TwoPlaces::first_line + 2}) {
        EXPECT_TRUE(contains(error, "host_rendezvous_test.cc:" + std::to_string(line))) << error;
      }
      EXPECT_TRUE(contains(error, "reached by work-items 1, 3, 5, 7")) << error;
      EXPECT_TRUE(contains(error, "never by 0, 2, 4, 6")) << error;
      EXPECT_TRUE(contains(error, "group 2")) << error;
    }
  }
  EXPECT_EQ(error_of(TwoPlaces{2}, {3, 64, 0}, {LaneOrder::Up, 0, 1}), "")
      << "a lane alone diverges from nobody";
}

/// As TwoPlaces, but in one source line: two instances of a template.
struct TwoInstances {
  static constexpr int group_size = 8;

  template <int I, class Group>
  static int one(const Group& g) {
    return g.sub_group().shuffle(I, 0);
  }

  template <class Group>
  void operator()(const Group& g) const {
    if (g.rank() % 2) {
      one<1>(g);
    } else {
      one<2>(g);
    }
  }
};

TEST(HostRendezvous, InstancesOfATemplateDoNotMeet) {
  EXPECT_TRUE(contains(error_of(TwoInstances{}, {1, 8, 0}), "never by 1, 3, 5, 7"))
      << error_of(TwoInstances{}, {1, 8, 0});
}

/// Sums the ranks of a sub-group by a butterfly over `width` lanes, or over the lanes there are.
struct Sum {
  static constexpr int group_size = 64;
  int* out;
  int width;  // 0: ask

  template <class Group>
  void operator()(const Group& g) const {
    const auto sub = g.sub_group();
    int sum = g.rank();
    for (int mask = (width ? width : sub.size()) / 2; mask > 0; mask /= 2) sum += sub.shuffle_xor(sum, mask);
    out[g.rank()] = sum;
  }
};

TEST(HostRendezvous, LiteralWidthShows) {
  std::vector<int> out(64);
  const auto is_right = [&](int width) {
    for (int i = 0; i < 64; ++i) {
      const int first = i / width * width;
      if (out[i] != first * width + width * (width - 1) / 2) return false;
    }
    return true;
  };
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    run(Sum{out.data(), 0}, {1, 64, 0}, options);
    EXPECT_TRUE(is_right(options.sub_group_size)) << to_string(options);
  }
  run(Sum{out.data(), 32}, {1, 64, 0}, {LaneOrder::Up, 0, 32});
  EXPECT_TRUE(is_right(32));
  run(Sum{out.data(), 32}, {1, 64, 0}, {LaneOrder::Up, 0, 64});
  EXPECT_FALSE(is_right(64));
  for (int width : {1, 8}) {
    const std::string error = error_of(Sum{out.data(), 32}, {1, 64, 0}, {LaneOrder::Up, 0, width});
    EXPECT_TRUE(contains(error, "reads lane 16 of a sub-group of " + std::to_string(width))) << error;
  }
}

TEST(HostRendezvous, ShuffleFromMissingLaneIsAnError) {
  std::vector<int> out(64);
  const std::string error =
      error_of(Sum{out.data(), 0}, {1, 33, 0});  // the second sub-group has one work-item
  EXPECT_TRUE(contains(error, "host_rendezvous_test.cc:")) << error;
  EXPECT_TRUE(
      contains(error, "work-item 32 of group 0: lane 0 reads lane 16 of a sub-group of 32 with 1 work-items"))
      << error;
}

struct Failure {};

struct Thrower {
  static constexpr int group_size = 64;
  int culprit;
  int* alive;
  int* passed;  // the last barrier of group 1

  struct Counted {
    int* count;
    explicit Counted(int* c) : count(c) { ++*count; }
    ~Counted() { --*count; }
  };

  template <class Group>
  void operator()(const Group& g) const {
    Counted counted(alive);
    g.barrier();
    if (g.rank() == culprit && g.index() == 1) throw Failure{};
    g.sub_group().barrier();
    g.barrier();
    *passed += g.index() == 1;
  }
};

TEST(HostRendezvous, ExceptionPropagatesAndUnwindsEveryItem) {
  int alive = 0, passed = 0;
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    for (int culprit : {0, 17, 63}) {
      EXPECT_THROW(run(Thrower{culprit, &alive, &passed}, {3, 64, 0}, options), Failure);
      EXPECT_EQ(alive, 0);
      EXPECT_EQ(passed, 0);
    }
    EXPECT_EQ(error_of(Thrower{-1, &alive, &passed}, {3, 64, 0}, options), "");
    EXPECT_EQ(passed, 64);
    passed = 0;
    EXPECT_NE(error_of(Divergent{63}, {1, 64, 0}, options), "");
  }
}

}  // namespace
}  // namespace batchlas::device_test
