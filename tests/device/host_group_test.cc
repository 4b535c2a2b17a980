// What the host executor offers a kernel: indices, lane orders, exchanges, votes, mma, and launches of any
// size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <set>

#include "batchlas/queue.hh"
#include "batchlas/status.hh"
#include "device/scalar.hh"
#include "host_run.hh"

namespace batchlas::device_test {
namespace {

/// Notes which work-item runs when, in three stretches between rendezvous.
struct Trace {
  static constexpr int group_size = 64;
  std::vector<int>* ranks;

  template <class Group>
  void operator()(const Group& g) const {
    ranks[0].push_back(g.rank());
    g.barrier();
    ranks[1].push_back(g.rank());
    g.sub_group().barrier();
    ranks[2].push_back(g.rank());
  }
};

std::vector<int> trace(const HostExecutorOptions& options, int stretch) {
  std::vector<int> ranks[3];
  run(Trace{ranks}, {1, 64, 0}, options);
  return ranks[stretch];
}

TEST(HostGroup, LaneOrderHoldsAfterEveryRendezvous) {
  std::vector<int> up(64), down(64);
  for (int i = 0; i < 64; ++i) up[i] = i, down[63 - i] = i;
  for (int stretch : {0, 1, 2}) {
    EXPECT_EQ(trace({LaneOrder::Up, 0, 64}, stretch), up);
    EXPECT_EQ(trace({LaneOrder::Down, 0, 64}, stretch), down);
    EXPECT_EQ(trace({LaneOrder::Up, 0, 8}, stretch), up);
    EXPECT_EQ(trace({LaneOrder::Down, 0, 8}, stretch), down);
  }
  std::set<std::vector<int>> orders = {up, down};
  for (std::uint64_t seed : {1, 2}) {
    for (int stretch : {0, 1, 2}) {
      std::vector<int> ranks = trace({LaneOrder::Shuffled, seed, 64}, stretch);
      EXPECT_EQ(ranks, trace({LaneOrder::Shuffled, seed, 64}, stretch)) << "not reproducible";
      EXPECT_TRUE(orders.insert(ranks).second) << "an order seen before";
      std::sort(ranks.begin(), ranks.end());
      EXPECT_EQ(ranks, up);
    }
  }
}

/// Fails by throwing, so that the message tells which check it was.
struct Exchanges {
  static constexpr int group_size = 72;

  static void check(bool ok, const char* what) {
    if (!ok) throw std::logic_error(what);
  }

  template <class Group>
  void operator()(const Group& g) const {
    const auto sub = g.sub_group();
    const int present = std::min(sub.size(), g.size() - sub.index() * sub.size());
    check(g.rank() == sub.index() * sub.size() + sub.lane(), "indices");
    for (int source = 0; source < present; ++source) {
      const int lane = sub.lane() + 100 * static_cast<int>(g.index());
      const int expected = source + 100 * static_cast<int>(g.index());
      check(sub.shuffle(lane, source) == expected, "shuffle of int");
      check(sub.shuffle(lane + 0.5, source) == expected + 0.5, "shuffle of double");
      const std::complex<double> z = sub.shuffle(std::complex<double>(lane, -lane), source);
      check(z == std::complex<double>(expected, -expected), "shuffle of complex");
      check(sub.shuffle_xor(lane, 0) == lane, "shuffle_xor");
      check(sub.ballot(sub.lane() == source) == std::uint64_t{1} << source, "ballot");
      check(sub.any(sub.lane() == source), "any");
      check(sub.all(sub.lane() != source) == false, "all of some");
    }
    check(!sub.any(false) && sub.all(true), "any of none, all of all");
  }
};

TEST(HostGroup, ExchangesAndVotesInEveryOrderAndWidth) {
  for (const HostExecutorOptions& options : all_orders_and_widths()) {
    EXPECT_EQ(error_of(Exchanges{}, {2, 72, 0}, options), "") << to_string(options);
  }
}

struct Mma {
  static constexpr int group_size = 64;
  const double *a, *b;  // row-major 16 x 8 and 8 x 8
  double* c;            // row-major 16 x 8

  template <class Group>
  void operator()(const Group& g) const {
    const auto sub = g.sub_group();
    const int row = sub.lane() / 4, t = sub.lane() % 4;
    const double fa[4] = {a[row * 8 + t], a[(row + 8) * 8 + t], a[row * 8 + t + 4], a[(row + 8) * 8 + t + 4]};
    const double fb[2] = {b[t * 8 + row], b[(t + 4) * 8 + row]};
    double* mine[4] = {c + row * 8 + 2 * t, c + row * 8 + 2 * t + 1, c + (row + 8) * 8 + 2 * t,
                       c + (row + 8) * 8 + 2 * t + 1};
    if (g.rank() >= 32) return;
    double fc[4] = {*mine[0], *mine[1], *mine[2], *mine[3]};
    sub.mma_m16n8k8(fc, fa, fb);
    for (int i = 0; i < 4; ++i) *mine[i] = fc[i];
  }
};

TEST(HostGroup, MmaIsATripleLoop) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> a(128), b(64), c(128);
  for (std::vector<double>* m : {&a, &b, &c})
    std::generate(m->begin(), m->end(), [&] { return normal(random); });
  std::vector<double> expected = c;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      for (int k = 0; k < 8; ++k)
        expected[i * 8 + j] = std::fma(a[i * 8 + k], b[k * 8 + j], expected[i * 8 + j]);
    }
  }
  for (const HostExecutorOptions& options : all_orders()) {
    std::vector<double> result = c;
    run(Mma{a.data(), b.data(), result.data()}, {1, 64, 0}, options);
    EXPECT_EQ(result, expected) << to_string(options);
  }
  EXPECT_TRUE(contains(error_of(Mma{a.data(), b.data(), c.data()}, {1, 64, 0}, {LaneOrder::Up, 0, 64}),
                       "sub-groups of 32"));
  EXPECT_TRUE(contains(error_of(Mma{a.data(), b.data(), c.data()}, {1, 31, 0}), "sub-groups of 32"));
}

struct Visit {
  static constexpr int group_size = 2;
  std::int64_t groups;
  unsigned char* visits;

  template <class Group>
  void operator()(const Group& g) const {
    if (g.index() < 0 || g.index() >= groups) throw std::logic_error("index out of range");
    ++visits[g.index() * g.size() + g.rank()];
  }
};

TEST(HostGroup, LaunchesOfAnySizeVisitEveryGroupOnce) {
  for (std::int64_t groups : {0, 1, 65535, 65536, 65537, (1 << 19) + 1, (1 << 20) + 3}) {
    for (int size : {1, 2}) {
      std::vector<unsigned char> visits(groups * size);
      run(Visit{groups, visits.data()}, {groups, size, 0});
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), groups * size) << groups;
    }
  }
}

TEST(HostGroup, WrongLaunchesAreErrors) {
  EXPECT_TRUE(contains(error_of(Visit{}, {1, 3, 0}), "group_size 3, the kernel allows 1 to 2"));
  EXPECT_TRUE(contains(error_of(Visit{}, {1, 0, 0}), "group_size 0"));
  EXPECT_TRUE(contains(error_of(Visit{}, {-1, 2, 0}), "-1 groups"));
  EXPECT_TRUE(contains(error_of(Visit{}, {1, 2, -8}), "-8 bytes"));
  EXPECT_TRUE(contains(error_of(Visit{}, {1, 2, 0}, {LaneOrder::Up, 0, 16}), "sub_group_size 16"));
}

TEST(HostGroup, DispatchTakesTheDevicesOptions) {
  Queue host(Device::host_executor("sm_90", {LaneOrder::Down, 5, 8}));
  std::vector<unsigned char> visits(4);
  device::dispatch(host, [&](const auto& executor) {
    if constexpr (requires { executor.options; }) {  // a CUDA build instantiates this for its executor too
      EXPECT_EQ(executor.options.order, LaneOrder::Down);
      EXPECT_EQ(executor.options.seed, 5u);
      EXPECT_EQ(executor.options.sub_group_size, 8);
      executor.run({2, 2, 0}, Visit{2, visits.data()});
    }
  });
  EXPECT_EQ(visits, std::vector<unsigned char>(4, 1));
  Queue cpu(Device::cpu());
  EXPECT_THROW(device::dispatch(cpu, [](const auto&) {}), NoRouteError);
}

}  // namespace
}  // namespace batchlas::device_test
