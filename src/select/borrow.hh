// Whose table a device uses: its own, then those of other devices in a fixed order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/device.hh"
#include "select/table.hh"

namespace batchlas::inline v0::select {

/// A device key taken apart: "sm_90" is family sm, number 90; "gfx90a" is gfx, 90; "cpu" is cpu, 0.
struct DeviceKey {
  std::string key, family;
  int number = 0;
};
DeviceKey read_device_key(std::string_view key);

/// Indexes of the tables that `device` may use, best first: its own; those of its family, nearest number at
/// or below, then nearest above; then the families sm, gfx, intel and any other, newest number first. Never
/// across CPU and GPU: a work-group kernel's ranking says nothing about a CPU's.
std::vector<std::size_t> borrow_order(const DeviceFacts& device, std::span<const DeviceKey> tables);

/// True where the header says that another SKU was measured than `device`. What either side leaves empty or 0
/// is not compared (the host executor has no name).
bool is_other_sku(const Sku& measured, const DeviceFacts& device);

/// The facts that a table's header gives for its device, with the vendor library assumed present: for
/// explaining a choice on a machine that has no such device.
DeviceFacts facts_of(const DeviceKey& key, const Sku& sku);

}  // namespace batchlas::inline v0::select
