// Devices as the command line spells them.
#pragma once

#include <string>

#include "batchlas/device.hh"

namespace batchlas::cli {

/// A device of this machine: cpu, cuda, cuda:1, host:sm_90; empty for the default. Throws UsageError.
Device parse_device(const std::string& text);

/// As parse_device, or the key of a built-in table (sm_90), whose device need not be present.
DeviceFacts parse_device_facts(const std::string& text);

/// "cuda:0", "cpu": what parse_device reads.
std::string spelling(const Device& device);

}  // namespace batchlas::cli
