// copy_async on the host executor: a copy happens at the wait that covers it, so that a missing wait shows.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "host_run.hh"

namespace batchlas::device_test {
namespace {

enum class Wait { All, AllButOne, None, NoCommit };

/// Two copies in two commits, then a wait.
struct TwoCopies {
  static constexpr int group_size = 32;
  const double* in;
  double* out;
  Wait wait;

  template <class Group>
  void operator()(const Group& g) const {
    double* local = g.template local<double>(0);
    local[g.rank()] = local[32 + g.rank()] = -1;  // what was there before must not show either
    g.template copy_async<8>(local + g.rank(), in + g.rank());
    if (wait != Wait::NoCommit) g.copy_commit();
    g.template copy_async<8>(local + 32 + g.rank(), in + 32 + g.rank());
    if (wait != Wait::NoCommit) g.copy_commit();
    if (wait == Wait::All || wait == Wait::NoCommit) g.template copy_wait<0>();
    if (wait == Wait::AllButOne) g.template copy_wait<1>();
    out[g.rank()] = local[g.rank()];
    out[32 + g.rank()] = local[32 + g.rank()];
  }
};

TEST(HostCopies, MissingWaitShowsAsNaN) {
  std::vector<double> in(64), out(64);
  std::iota(in.begin(), in.end(), 1.0);
  const auto arrived = [&](Wait wait) {
    run(TwoCopies{in.data(), out.data(), wait}, {1, 32, 64 * 8});
    int count = 0;
    for (int i = 0; i < 64; ++i) {
      if (out[i] == in[i]) {
        ++count;
      } else {
        EXPECT_TRUE(std::isnan(out[i])) << i;
      }
    }
    return count;
  };
  EXPECT_EQ(arrived(Wait::All), 64);
  EXPECT_EQ(arrived(Wait::AllButOne), 32);
  EXPECT_EQ(arrived(Wait::None), 0);
  EXPECT_EQ(arrived(Wait::NoCommit), 0);
}

/// Sums `tiles` rows of 64 through two buffers, each loaded while the other is summed; item i sums what item
/// 63 - i loaded.
struct Pipeline {
  static constexpr int group_size = 64;
  const float* in;
  float* out;
  int tiles;
  bool with_barriers;

  template <class Group>
  void operator()(const Group& g) const {
    float* local = g.template local<float>(0);
    const auto load = [&](int tile) {
      if (tile < tiles) g.template copy_async<4>(local + tile % 2 * 64 + g.rank(), in + tile * 64 + g.rank());
      g.copy_commit();
    };
    float sum = 0;
    load(0);
    for (int tile = 0; tile < tiles; ++tile) {
      load(tile + 1);
      g.template copy_wait<1>();
      if (with_barriers) g.barrier();
      sum += local[tile % 2 * 64 + 63 - g.rank()];
      if (with_barriers) g.barrier();
    }
    out[g.rank()] = sum;
  }
};

TEST(HostCopies, PipelineIsRightInEveryOrder) {
  std::vector<float> in(10 * 64), out(64), expected(64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * i % 101);
  for (std::size_t i = 0; i < in.size(); ++i) expected[63 - i % 64] += in[i];
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    run(Pipeline{in.data(), out.data(), 10, true}, {1, 64, 512}, options);
    EXPECT_EQ(out, expected) << to_string(options);
    run(Pipeline{in.data(), out.data(), 10, false}, {1, 64, 512}, options);
    EXPECT_NE(out, expected) << to_string(options);
  }
}

struct WrongCopy {
  static constexpr int group_size = 1;
  const char* in;
  std::int64_t to, from;

  template <class Group>
  void operator()(const Group& g) const {
    g.template copy_async<16>(g.template local<char>(0) + to, in + from);
  }
};

TEST(HostCopies, TargetAndAlignmentAreChecked) {
  alignas(16) char in[64] = {};
  EXPECT_EQ(error_of(WrongCopy{in, 48, 16}, {1, 1, 64}), "");
  EXPECT_TRUE(contains(error_of(WrongCopy{in, 56, 0}, {1, 1, 64}), "copies 16 bytes to offset 56 of 64"));
  EXPECT_TRUE(contains(error_of(WrongCopy{in, -16, 0}, {1, 1, 64}), "to offset -16"));
  EXPECT_TRUE(contains(error_of(WrongCopy{in, 8, 0}, {1, 1, 64}), "not a multiple of 16"));
  EXPECT_TRUE(contains(error_of(WrongCopy{in, 0, 8}, {1, 1, 64}), "not a multiple of 16"));
}

}  // namespace
}  // namespace batchlas::device_test
