// What `devices` and `explain` print.
#pragma once

#include <span>
#include <string>

#include "batchlas/device.hh"
#include "batchlas/introspect.hh"

namespace batchlas::cli {

/// One line a device, under a heading.
std::string devices_text(std::span<const Device> devices);
std::string devices_json(std::span<const Device> devices);
std::string explanation_json(const Explanation& explanation);

}  // namespace batchlas::cli
