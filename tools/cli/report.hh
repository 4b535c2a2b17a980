// What `devices` and `explain` print.
#pragma once

#include <span>
#include <string>

#include "batchlas/device.hh"
#include "batchlas/introspect.hh"

namespace batchlas::cli {

/// What ran a call: "NVIDIA H200", or "the host executor (sm_90)", which only stands for one.
std::string device_text(const Device& device);

/// One line a device, under a heading.
std::string devices_text(std::span<const Device> devices);
std::string devices_json(std::span<const Device> devices);
std::string explanation_json(const Explanation& explanation);

}  // namespace batchlas::cli
