// Devices as the command line spells them.
#include "parse_device.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "batchlas/introspect.hh"
#include "error.hh"

namespace batchlas::cli {

Device parse_device(const std::string& text) {
  if (text.empty()) return Device::default_device();
  try {
    return Device::parse(text);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("device '{}': {}", text, error.what()));
  }
}

DeviceFacts parse_device_facts(const std::string& text) {
  const auto tables = table_devices();
  // "cpu" is both a device and a table; the machine's own CPU is meant.
  if (text != "cpu" && std::find(tables.begin(), tables.end(), text) != tables.end())
    return table_device_facts(text);
  try {
    return parse_device(text).facts();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; devices with tables: {}", error.what(), fmt::join(tables, ", ")));
  }
}

std::string spelling(const Device& device) {
  return device.kind() == DeviceKind::Cuda ? fmt::format("cuda:{}", device.ordinal()) : "cpu";
}

}  // namespace batchlas::cli
