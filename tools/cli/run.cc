// `batchlas run OP`: devices, files and memory, for every op alike.
#include "run.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "batchlas/introspect.hh"
#include "error.hh"
#include "parse_device.hh"

namespace batchlas::cli {

#define BATCHLAS_OP(op) extern const OpAdapter op##_adapter;
#include "ops/ops.def"
#undef BATCHLAS_OP

namespace {

/// Bytes that a process may still allocate; Linux counts reclaimable caches as available. 0: not known.
std::int64_t available_memory() {
  std::int64_t available = 0;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);)
    if (line.starts_with("MemAvailable:")) available = std::stoll(line.substr(13)) * 1024;
  std::int64_t limit = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit > 0)
    available = available == 0 ? limit : std::min(available, limit);
  return available;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 6> units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace

std::span<const OpAdapter* const> adapters() {
  static constexpr std::array all{
#define BATCHLAS_OP(op) &op##_adapter,
#include "ops/ops.def"
#undef BATCHLAS_OP
  };
  return all;
}

RunContext::RunContext(std::string_view op, const Device& device, const RunValues& values)
    : op_(op), values_(values), queue_(device) {}

std::unique_ptr<NpyInput> RunContext::input(std::string_view name) const {
  return std::make_unique<NpyInput>(values_.find(name)->second);
}

OutputFile RunContext::output(std::string_view name) {
  OutputFile file(values_.find(name)->second);
  const auto [first, fresh] = outputs_.emplace(file.target(), name);
  if (!fresh)
    throw UsageError(fmt::format("{}: is given as both --{} and --{}", file.path(), first->second, name));
  return file;
}

const std::string& RunContext::word(std::string_view name) const {
  return values_.find(name)->second;
}

void RunContext::require_memory(const NpyInput& input, std::int64_t host, std::int64_t device) const {
  const auto check = [&](std::int64_t needed, std::int64_t available, std::string_view where) {
    if (available > 0 && needed > available)
      throw UsageError(fmt::format("{}: {} is too large for the memory: {} needs {}, {} {}", input.path(),
                                   input.description(), op_, bytes_text(needed), bytes_text(available),
                                   where));
  };
  check(device_is_host() ? host + device : host, available_memory(), "are available");
  if (!device_is_host()) check(device, queue_.device().facts().memory_bytes, "is what the device has");
}

SquareBatch square_batch(const NpyInput& input) {
  const auto& shape = input.shape();
  const std::size_t rank = shape.size();
  if ((rank != 2 && rank != 3) || shape[rank - 1] != shape[rank - 2])
    throw UsageError(
        fmt::format("{}: shape is {}; expected (batch, n, n) or (n, n)", input.path(), shape_text(shape)));
  return {.n = shape[rank - 1], .batch = rank == 3 ? shape[0] : 1};
}

std::vector<std::int64_t> failed_items(std::span<const std::int32_t> info) {
  std::vector<std::int64_t> failed;
  for (std::size_t b = 0; b < info.size(); ++b)
    if (info[b] != 0) failed.push_back(static_cast<std::int64_t>(b));
  return failed;
}

std::string failure_text(std::span<const std::int32_t> info, std::string_view meaning) {
  constexpr std::size_t listed = 10;
  const auto failed = failed_items(info);
  if (failed.empty()) return {};
  std::string text = fmt::format("{} of {} items failed ({}): ", failed.size(), info.size(), meaning);
  for (std::size_t i = 0; i < std::min(failed.size(), listed); ++i)
    text += fmt::format("{}item {} (info {})", i ? ", " : "", failed[i],
                        info[static_cast<std::size_t>(failed[i])]);
  if (failed.size() > listed) text += fmt::format(" and {} more", failed.size() - listed);
  return text;
}

int run(const OpAdapter& adapter, const RunValues& values, const std::string& device,
        const std::string& pin) {
  RunContext context(adapter.name, parse_device(device), values);
  std::optional<ScopedPin> forced;
  if (!pin.empty()) forced.emplace(adapter.name, pin);
  return adapter.run(context);
}

}  // namespace batchlas::cli
