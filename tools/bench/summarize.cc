// From rounds of times to medians and paired ratios.
#include <cmath>

#include "run_cell.hh"
#include "stats.hh"

namespace batchlas::bench {
namespace {

/// The fastest arm of a kind, or -1.
int fastest(const std::vector<ArmResult>& arms, ArmKind kind) {
  int best = -1;
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (arms[i].kind == kind && std::isfinite(arms[i].ms) && (best < 0 || arms[i].ms < arms[best].ms))
      best = static_cast<int>(i);
  return best;
}

}  // namespace

void summarize(CellResult& result, const std::vector<std::vector<double>>& rounds, double flops,
               double bytes) {
  for (std::size_t i = 0; i < result.arms.size(); ++i) {
    ArmResult& arm = result.arms[i];
    arm.samples = static_cast<int>(finite(rounds[i]).size());
    if (arm.samples == 0) continue;
    arm.ms = median(rounds[i]);
    arm.spread = spread(rounds[i]);
    arm.gbs = bytes / arm.ms * 1e-6;
    if (arm.kind != ArmKind::Copy) arm.gflops = flops / arm.ms * 1e-6;
  }
  const int rival = fastest(result.arms, ArmKind::Rival), copy = fastest(result.arms, ArmKind::Copy);
  if (rival >= 0) result.arms[rival].is_rival = true;
  for (std::size_t i = 0; i < result.arms.size(); ++i) {
    if (rival >= 0) result.arms[i].ratio_rival = paired_ratio(rounds[rival], rounds[i]);
    if (copy >= 0) result.arms[i].ratio_copy = paired_ratio(rounds[i], rounds[copy]);
  }
}

}  // namespace batchlas::bench
