#include "select/borrow.hh"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace batchlas::inline v0::select {
namespace {

constexpr std::array<std::string_view, 3> families{"sm", "gfx", "intel"};

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

}  // namespace

DeviceKey read_device_key(std::string_view key) {
  DeviceKey result;
  result.key = key;
  std::size_t end = 0;
  while (end < key.size() && is_letter(key[end])) ++end;
  result.family = key.substr(0, end);
  if (end < key.size() && key[end] == '_') ++end;
  result.number = std::atoi(result.key.c_str() + end);
  return result;
}

std::vector<std::size_t> borrow_order(const DeviceFacts& device, std::span<const DeviceKey> tables) {
  // Smaller ranks first. The key is the last component, so that the order is total.
  const auto rank = [&](std::size_t i) {
    const DeviceKey& table = tables[i];
    const bool own = table.key == device.key;
    const bool related = table.family == device.family;
    const auto family = std::find(families.begin(), families.end(), table.family) - families.begin();
    const bool above = related && table.number > device.arch_number;
    const int number = above ? table.number : -table.number;
    return std::tuple(!own, !related, related ? 0 : family, above, number, std::string_view(table.key));
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (device.is_gpu == (tables[i].family != "cpu")) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

bool is_other_sku(const Sku& measured, const DeviceFacts& device) {
  const auto differ = [](std::int64_t a, std::int64_t b) { return a > 0 && b > 0 && a != b; };
  return (!measured.name.empty() && !device.name.empty() && measured.name != device.name) ||
         differ(measured.sms, device.multiprocessors) || differ(measured.simd_bytes, device.simd_bytes);
}

DeviceFacts facts_of(const DeviceKey& key, const Sku& sku) {
  DeviceFacts facts;
  facts.key = key.key;
  facts.family = key.family;
  facts.is_gpu = key.family != "cpu";
  facts.arch_number = facts.is_gpu ? key.number : 0;
  facts.name = sku.name;
  facts.has_vendor = true;
  // Where a header is silent, the limits that every GPU of the last ten years has.
  facts.sub_group_size = sku.sub_group ? sku.sub_group : facts.is_gpu ? 32 : 1;
  facts.max_work_group = sku.max_work_group ? sku.max_work_group : facts.is_gpu ? 1024 : 1;
  facts.local_bytes = sku.local_bytes ? sku.local_bytes : facts.is_gpu ? 48 * 1024 : 0;
  facts.multiprocessors = sku.sms;
  facts.l2_bytes = sku.l2_bytes;
  facts.memory_bytes = sku.memory_bytes;
  facts.simd_bytes = sku.simd_bytes;
  return facts;
}

}  // namespace batchlas::inline v0::select
