// Runs kernels on the host executor in every lane order and width, and catches what they break.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "device/host/launch.hh"

namespace batchlas::device_test {

using device::LaunchShape;

inline std::vector<HostExecutorOptions> all_orders(int sub_group_size = 32) {
  std::vector<HostExecutorOptions> options = {{LaneOrder::Up, 0, sub_group_size},
                                              {LaneOrder::Down, 0, sub_group_size}};
  for (std::uint64_t seed : {1, 2, 3}) options.push_back({LaneOrder::Shuffled, seed, sub_group_size});
  return options;
}

inline std::vector<HostExecutorOptions> all_orders_and_widths() {
  std::vector<HostExecutorOptions> all;
  for (int width : {1, 8, 32, 64}) {
    for (const HostExecutorOptions& options : all_orders(width)) all.push_back(options);
  }
  return all;
}

inline std::string to_string(const HostExecutorOptions& options) {
  const char* orders[] = {"up", "down", "shuffled"};
  return std::string(orders[static_cast<int>(options.order)]) + " seed " + std::to_string(options.seed) +
         " width " + std::to_string(options.sub_group_size);
}

template <class Kernel>
void run(const Kernel& kernel, const LaunchShape& shape, const HostExecutorOptions& options = {}) {
  device::host::Executor{options}.run(shape, kernel);
}

/// The message of the std::logic_error that the launch throws; empty if it throws none.
template <class Kernel>
std::string error_of(const Kernel& kernel, const LaunchShape& shape,
                     const HostExecutorOptions& options = {}) {
  try {
    run(kernel, shape, options);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace batchlas::device_test
