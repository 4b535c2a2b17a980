#include "tuned_rows.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace batchlas::bench {
namespace {

constexpr double tie = 1.03;

std::size_t place(const std::vector<std::string>& listed, const std::string& spelling) {
  const auto found = std::find(listed.begin(), listed.end(), spelling);
  if (found == listed.end()) throw std::invalid_argument("table: " + spelling + " is no candidate");
  return static_cast<std::size_t>(found - listed.begin());
}

std::string sku_line(const RunInfo& info) {
  const DeviceFacts& d = info.device;
  std::string line = "# sku name=" + d.name;
  const auto add = [&line](std::string_view key, std::int64_t value) {
    if (value > 0) line += fmt::format(" {}={}", key, value);
  };
  add(d.is_gpu ? "sms" : "cores", d.multiprocessors);
  add("simd_bytes", d.simd_bytes);
  add("sub_group", d.sub_group_size);
  add("max_work_group", d.is_gpu ? d.max_work_group : 0);
  add("local_bytes", d.is_gpu ? d.local_bytes : 0);
  add("l2_bytes", d.l2_bytes);
  add("memory_bytes", d.memory_bytes);
  if (!info.versions.empty()) line += ' ' + info.versions;
  return line + '\n';
}

std::string header(const RunInfo& info, const std::vector<KeyInfo>& keys) {
  std::string text = fmt::format("# op={} device={} batchlas={} kernels={} date={}\n", info.op,
                                 info.device.key, info.commit, info.kernels, info.date);
  text += sku_line(info);
  text += "# source=bench tier=custom\n# keys: dtype:exact";
  for (const KeyInfo& key : keys) {
    text += ' ' + key.name + (key.exact ? ":exact" : ":log");
    if (!key.exact && key.weight != 1) text += fmt::format(":{:g}", key.weight);
  }
  return text + '\n';
}

/// Sorts rows: symbols by their order, integers by value.
std::int64_t sort_value(const KeyInfo& key, const std::string& value) {
  if (key.symbols.empty()) return std::stoll(value);
  return std::find(key.symbols.begin(), key.symbols.end(), value) - key.symbols.begin();
}

}  // namespace

std::vector<TimedCandidate> rank(std::vector<TimedCandidate> timed, const std::vector<std::string>& listed) {
  if (timed.empty()) return timed;
  for (const TimedCandidate& candidate : timed) place(listed, candidate.spelling);  // throws
  const auto by_time = [](const TimedCandidate& a, const TimedCandidate& b) { return a.ms < b.ms; };
  const auto by_place = [&listed](const TimedCandidate& a, const TimedCandidate& b) {
    return place(listed, a.spelling) < place(listed, b.spelling);
  };
  std::sort(timed.begin(), timed.end(), by_place);  // equal times: list order
  std::stable_sort(timed.begin(), timed.end(), by_time);
  const double limit = tie * timed.front().ms;
  const auto end =
      std::find_if(timed.begin(), timed.end(), [&](const TimedCandidate& c) { return c.ms > limit; });
  std::sort(timed.begin(), end, by_place);
  return timed;
}

std::string table_text(const RunInfo& info, const std::vector<KeyInfo>& keys,
                       const std::vector<std::vector<std::string>>& listed,
                       const std::vector<CellResult>& results) {
  std::map<std::vector<std::int64_t>, std::string> rows;
  for (const CellResult& result : results) {
    if (result.cell.pad != 0) continue;
    std::vector<TimedCandidate> timed;
    for (const ArmResult& arm : result.arms) {
      if (arm.kind != ArmKind::Candidate || !std::isfinite(arm.ms) || arm.residual >= residual_bound)
        continue;
      // Two names of one batch ("cache" and its number) measure a cell twice, and results files join them.
      const auto again = std::find_if(timed.begin(), timed.end(),
                                      [&](const TimedCandidate& c) { return c.spelling == arm.arm; });
      if (again != timed.end()) {
        again->ms = arm.ms;
      } else {
        timed.push_back({arm.arm, arm.ms});
      }
    }
    if (timed.empty()) continue;
    const auto dtype = static_cast<std::size_t>(result.cell.dtype);
    std::string row = fmt::format("dtype={:<7}", name(result.cell.dtype));
    std::vector<std::int64_t> order{static_cast<std::int64_t>(dtype)};
    for (const KeyInfo& key : keys) {
      const std::string& value = result.cell.word(key.name);
      row += fmt::format(" {}={:<{}}", key.name, value, key.exact ? 1 : key.name == "batch" ? 8 : 4);
      order.push_back(sort_value(key, value));
    }
    for (const TimedCandidate& candidate : rank(timed, listed.at(dtype)))
      row += fmt::format(" | {} {:.4g}", candidate.spelling, candidate.ms);
    rows[order] = row + " # custom\n";
  }
  std::string text = header(info, keys);
  for (const auto& [order, row] : rows) text += row;
  return text;
}

}  // namespace batchlas::bench
