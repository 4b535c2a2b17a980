#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report.hh"

namespace batchlas::bench {
namespace {

std::string number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

std::string significant(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-";
}

}  // namespace

std::string run_text(const RunInfo& info) {
  std::string text = fmt::format("{} on {} ({})", info.op, info.device.name, info.device.key);
  if (info.threads > 0) text += fmt::format(", {} threads", info.threads);
  if (!info.versions.empty()) text += ", " + info.versions;
  return text + fmt::format("\nlibrary {}, commit {}, {}\n", info.library, info.commit, info.date);
}

std::string cell_text(const CellResult& result) {
  std::string text = fmt::format("\n{}  [{} sets, {}, {} rounds]\n", result.cell.text(), result.sets,
                                 result.cache, result.rounds);
  text += fmt::format("  {:<28} {:>10} {:>7} {:>8} {:>7} {:>9} {:>8} {:>8}\n", "arm", "ms", "+-%", "x rival",
                      "x copy", "GFLOP/s", "GB/s", "residual");
  std::vector<const ArmResult*> arms;
  for (const ArmResult& arm : result.arms) arms.push_back(&arm);
  std::stable_sort(arms.begin(), arms.end(), [](const ArmResult* a, const ArmResult* b) {
    return (std::isfinite(a->ms) ? a->ms : 1e300) < (std::isfinite(b->ms) ? b->ms : 1e300);
  });
  for (const ArmResult* arm : arms) {
    if (!std::isfinite(arm->ms)) {
      text += fmt::format("  {:<28} {}\n", arm->arm, arm->note);
      continue;
    }
    text += fmt::format("  {:<28} {:>10} {:>7} {:>8} {:>7} {:>9} {:>8} {:>8}{}{}\n", arm->arm,
                        significant(arm->ms), number(100 * arm->spread, 1), number(arm->ratio_rival, 2),
                        number(arm->ratio_copy, 2), number(arm->gflops, 1), number(arm->gbs, 1),
                        significant(arm->residual), arm->is_auto_choice ? "  <- auto" : "",
                        arm->note.empty() ? "" : "  (" + arm->note + ")");
  }
  for (const std::string& warning : result.warnings) text += "  warning: " + warning + '\n';
  return text;
}

}  // namespace batchlas::bench
