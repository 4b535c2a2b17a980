#include "race.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "stats.hh"

namespace batchlas::bench {
namespace {

void drop_slow(std::vector<Racer>& racers, double factor) {
  double best = std::numeric_limits<double>::infinity();
  for (const Racer& racer : racers)
    if (!racer.reference && !finite(racer.ms).empty()) best = std::min(best, median(racer.ms));
  for (Racer& racer : racers)
    if (!racer.reference && !racer.kept && median(racer.ms) > factor * best) racer.live = false;
}

bool all_stable(const std::vector<Racer>& racers, double limit) {
  return std::all_of(racers.begin(), racers.end(),
                     [&](const Racer& racer) { return !racer.live || relative_error(racer.ms) <= limit; });
}

}  // namespace

int race(std::vector<Racer>& racers, const RacePolicy& policy,
         const std::function<double(std::size_t)>& sample, const std::function<double()>& now) {
  std::mt19937_64 random(policy.seed);
  std::vector<std::size_t> order(racers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double start = now();
  int round = 0;
  while (round < policy.max_rounds) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      Racer& racer = racers[i];
      racer.ms.push_back(racer.live ? sample(i) : std::numeric_limits<double>::quiet_NaN());
      if (!std::isfinite(racer.ms.back())) racer.live = false;
    }
    ++round;
    if (round == policy.drop_after) drop_slow(racers, policy.drop_factor);
    if (round >= policy.min_rounds && all_stable(racers, policy.stable)) break;
    if (now() - start > policy.seconds) break;
  }
  return round;
}

}  // namespace batchlas::bench
