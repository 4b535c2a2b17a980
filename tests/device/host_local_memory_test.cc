// Local memory on the host executor: unwritten memory shows as NaN, and a write beyond its end is seen.
#include <gtest/gtest.h>

#include <cmath>

#include "host_run.hh"

namespace batchlas::device_test {
namespace {

/// Reads local memory before it writes there.
struct ReadFirst {
  static constexpr int group_size = 32;
  double* out;

  template <class Group>
  void operator()(const Group& g) const {
    double* local = g.template local<double>(0);
    out[g.index() * g.size() + g.rank()] = local[g.rank()];
    local[g.rank()] = 1;
  }
};

TEST(HostLocalMemory, UnwrittenReadsAsNaNInEveryGroup) {
  std::vector<double> out(3 * 32);
  run(ReadFirst{out.data()}, {3, 32, 32 * 8});
  for (double value : out) EXPECT_TRUE(std::isnan(value));
}

struct Offset {
  static constexpr int group_size = 1;
  std::int64_t offset;
  char value;

  template <class Group>
  void operator()(const Group& g) const {
    volatile char* local = g.template local<char>(0);
    local[offset] = value;
  }
};

struct Misaligned {
  static constexpr int group_size = 1;
  std::int64_t offset;

  template <class Group>
  void operator()(const Group& g) const {
    g.template local<double>(offset);
  }
};

TEST(HostLocalMemory, OffsetsAreChecked) {
  EXPECT_EQ(error_of(Misaligned{24}, {1, 1, 24}), "") << "the end is a place, if not one to write to";
  for (std::int64_t offset : {-8, 4, 32}) {
    const std::string error = error_of(Misaligned{offset}, {1, 1, 24});
    EXPECT_TRUE(contains(error, "Group::local at")) << offset << error;
    EXPECT_TRUE(contains(error, "host_local_memory_test.cc:")) << error;
  }
}

TEST(HostLocalMemory, IsAsLongAsAskedFor) {
  for (std::int64_t bytes : {1, 13, 4096, 232448}) run(Offset{bytes - 1, 1}, {2, 1, bytes});
}

#if defined(__SANITIZE_ADDRESS__)
TEST(HostLocalMemoryDeathTest, WriteBeyondTheEndIsSeen) {
  for (std::int64_t bytes : {13, 16, 232448}) {
    EXPECT_DEATH(run(Offset{bytes, 1}, {1, 1, bytes}), "heap-buffer-overflow") << bytes;
    EXPECT_DEATH(run(Offset{-1, 1}, {1, 1, bytes}), "heap-buffer-overflow") << bytes;
  }
}

struct Recurse {
  static constexpr int group_size = 2;

  static int deep(int depth) {
    volatile char frame[1000] = {};
    return depth == 0 ? frame[0] : deep(depth - 1) + frame[depth % 1000];
  }
  template <class Group>
  void operator()(const Group& g) const {
    g.barrier();
    deep(100 * g.rank());
    g.barrier();
  }
};

TEST(HostLocalMemory, DeepStacksRaiseNoFalseAlarm) {
  run(Recurse{}, {10, 2, 0});
}
#endif

}  // namespace
}  // namespace batchlas::device_test
