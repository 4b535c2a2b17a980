// Memory and copies behind DeviceArray.
#include "batchlas/device_array.hh"

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "device/state.hh"

namespace batchlas::inline v0::detail {
namespace {
constexpr std::align_val_t alignment{workspace_alignment};
}

void* allocate(const Device& device, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes > PTRDIFF_MAX) {
    throw std::invalid_argument("DeviceArray: " + std::to_string(bytes) + " bytes; is the count negative?");
  }
  return device.kind() == DeviceKind::Cuda ? cuda_allocate(device, bytes) : ::operator new(bytes, alignment);
}

void deallocate(const Device& device, void* memory) noexcept {
  if (!memory) return;
  if (device.kind() == DeviceKind::Cuda) {
    cuda_deallocate(device, memory);
  } else {
    ::operator delete(memory, alignment);
  }
}

void copy_bytes(Queue& queue, void* to, const void* from, std::size_t bytes) {
  queue.state().check();
  if (bytes > 0) queue.state().copy(to, from, bytes);
}

}  // namespace batchlas::inline v0::detail
