// Vendor rooms say here that they are linked in, so that device facts can tell.
#pragma once

#include "batchlas/device.hh"

namespace batchlas::inline v0::detail {

/// From now on, devices of this kind are made with `has_vendor` set.
void register_vendor(DeviceKind kind);
bool has_vendor(DeviceKind kind);

}  // namespace batchlas::inline v0::detail
