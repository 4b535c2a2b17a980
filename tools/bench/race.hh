// Who is measured how often: rounds of one sample of each arm in random order, until the medians stand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace batchlas::bench {

struct RacePolicy {
  int min_rounds = 5;
  int max_rounds = 15;
  int drop_after = 2;  ///< rounds, then an arm slower than drop_factor times the best is sampled no more
  double drop_factor = 3;
  double stable = 0.004;  ///< relative standard error of a median that needs no more rounds
  double seconds = 0.4;   ///< no round begins later
  std::uint64_t seed = 1;
};

struct Racer {
  bool reference = false;  ///< neither dropped nor a measure of the best: the copy
  bool kept = false;       ///< never dropped
  std::vector<double> ms;  ///< one a round; NaN where it was not sampled
  bool live = true;
};

/// `sample(i)` measures arm i in ms; NaN retires the arm. `now()` is a clock in seconds. Returns the number
/// of rounds.
int race(std::vector<Racer>& racers, const RacePolicy& policy,
         const std::function<double(std::size_t)>& sample, const std::function<double()>& now);

}  // namespace batchlas::bench
