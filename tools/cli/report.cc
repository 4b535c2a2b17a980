// What `devices` and `explain` print.
#include "report.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "parse_device.hh"

namespace batchlas::cli {

using Json = nlohmann::ordered_json;

std::string device_text(const Device& device) {
  const DeviceFacts& facts = device.facts();
  return device.kind() == DeviceKind::HostExecutor ? "the host executor (" + facts.key + ")" : facts.name;
}

std::string devices_text(std::span<const Device> devices) {
  std::string text = fmt::format("{:<8} {:<8} {:<44} {:>7} {:>11} {:>10} {:>6}\n", "device", "tables", "name",
                                 "units", "memory GiB", "local KiB", "vendor");
  for (const Device& device : devices) {
    const DeviceFacts& facts = device.facts();
    const double gib = static_cast<double>(facts.memory_bytes) / (1 << 30);
    text += fmt::format("{:<8} {:<8} {:<44} {:>7} {:>11.1f} {:>10} {:>6}\n", spelling(device), facts.key,
                        facts.name, facts.multiprocessors, gib, facts.local_bytes / 1024,
                        facts.has_vendor ? "yes" : "no");
  }
  return text;
}

std::string devices_json(std::span<const Device> devices) {
  Json list = Json::array();
  for (const Device& device : devices) {
    const DeviceFacts& facts = device.facts();
    list.push_back({{"device", spelling(device)},
                    {"key", facts.key},
                    {"name", facts.name},
                    {"is_gpu", facts.is_gpu},
                    {"has_vendor", facts.has_vendor},
                    {"multiprocessors", facts.multiprocessors},
                    {"sub_group_size", facts.sub_group_size},
                    {"max_work_group", facts.max_work_group},
                    {"local_bytes", facts.local_bytes},
                    {"l2_bytes", facts.l2_bytes},
                    {"memory_bytes", facts.memory_bytes},
                    {"simd_bytes", facts.simd_bytes}});
  }
  return list.dump(2) + "\n";
}

std::string explanation_json(const Explanation& explanation) {
  Json candidates = Json::array();
  for (const ExplainedCandidate& candidate : explanation.candidates)
    candidates.push_back({{"spelling", candidate.spelling},
                          {"rank", candidate.rank},
                          {"refusal", candidate.refusal},
                          {"ms", candidate.ms ? Json(*candidate.ms) : Json()},
                          {"from", candidate.from},
                          {"chosen", candidate.chosen}});
  const Json page{{"op", explanation.op},
                  {"dtype", explanation.dtype},
                  {"key", explanation.key},
                  {"device", explanation.device},
                  {"pin", explanation.pin},
                  {"choice", explanation.choice},
                  {"error", explanation.error},
                  {"tag", explanation.tag},
                  {"row", explanation.row},
                  {"row_from", explanation.row_from},
                  {"distance", explanation.distance},
                  {"candidates", candidates}};
  return page.dump(2) + "\n";
}

}  // namespace batchlas::cli
