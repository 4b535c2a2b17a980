// The devices that calls can run on, and what is known of each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/export.hh"

namespace batchlas::inline v0 {

/// Cpu runs SIMD and LAPACK kernels; HostExecutor runs the GPU kernels on the CPU, one fiber a work-item, to
/// test and debug them without a GPU; Cuda is an NVIDIA GPU.
enum class DeviceKind : std::uint8_t { Cpu, HostExecutor, Cuda };

/// What selection may know of a device. Names are vendor-neutral: a work-group is a CUDA block, a sub-group a
/// warp.
struct DeviceFacts {
  std::string key;      ///< names its tuned tables: "sm_90", "gfx90a", "cpu"
  std::string family;   ///< "sm", "gfx", "intel", "cpu"
  int arch_number = 0;  ///< 90 for sm_90; 0 for a CPU
  std::string name;     ///< marketing name or CPU model
  bool is_gpu = false;
  bool has_vendor = false;  ///< a vendor library (cuSOLVER/cuBLAS, LAPACK) is linked in
  int sub_group_size = 1;
  int max_work_group = 1;        ///< work-items
  std::int64_t local_bytes = 0;  ///< local (shared) memory that one work-group may use
  int multiprocessors = 1;       ///< SMs, or hardware threads that the library uses on a CPU
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  int simd_bytes = 0;  ///< widest SIMD vector of a CPU; 0 on a GPU
};

/// The order in which the host executor resumes the work-items of a group between two rendezvous.
enum class LaneOrder : std::uint8_t { Up, Down, Shuffled };

struct HostExecutorOptions {
  LaneOrder order = LaneOrder::Up;
  std::uint64_t seed = 0;   ///< for LaneOrder::Shuffled
  int sub_group_size = 32;  ///< 1, 8, 32 or 64
};

namespace detail {
struct DeviceState;
}

/// A cheap handle; copies name the same device.
class BATCHLAS_API Device {
 public:
  static Device cpu();
  /// Throws std::invalid_argument for an ordinal that does not exist, and NoRouteError in a build without
  /// CUDA.
  static Device cuda(int ordinal = 0);
  /// The GPU kernels on the CPU, with the tables and limits of device `key`.
  static Device host_executor(std::string_view key = "sm_90", const HostExecutorOptions& options = {});
  /// Parses "cpu", "cuda", "cuda:1", "host", "host:sm_90".
  static Device parse(std::string_view text);
  /// The first GPU, or the CPU where there is none.
  static Device default_device();
  /// Every CUDA device, then the CPU. The host executor is made by name only.
  static std::vector<Device> all();

  DeviceKind kind() const;
  int ordinal() const;
  const DeviceFacts& facts() const;

  explicit Device(std::shared_ptr<const detail::DeviceState> state) : state_(std::move(state)) {}
  const detail::DeviceState& state() const { return *state_; }

 private:
  std::shared_ptr<const detail::DeviceState> state_;
};

/// Number of usable CUDA devices; 0 in a build without CUDA or on a machine without a driver.
BATCHLAS_API int cuda_device_count();

}  // namespace batchlas::inline v0
