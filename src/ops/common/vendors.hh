// Tells device facts which vendor libraries are linked in. Included by every op file.
#pragma once

#include "device/vendor_hook.hh"

namespace batchlas::inline v0::op_support {

/// Defined in vendors.cc; asks each vendor room.
bool register_linked_vendors();

inline const bool vendors_registered = register_linked_vendors();

}  // namespace batchlas::inline v0::op_support
