// Facts of the machine's CPU, and of the devices that the host executor can stand for.
#pragma once

#include <string_view>

#include "batchlas/device.hh"

namespace batchlas::inline v0::detail {

DeviceFacts cpu_facts();
/// Facts of a GPU that need not be present. Throws std::invalid_argument for a key that is not known.
DeviceFacts known_gpu_facts(std::string_view key);

}  // namespace batchlas::inline v0::detail
