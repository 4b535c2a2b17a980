// Stands in for src/device/cuda in a build without CUDA.
#include "batchlas/status.hh"
#include "device/state.hh"

namespace batchlas::inline v0::detail {
namespace {
[[noreturn]] void throw_no_cuda() {
  throw NoRouteError("this build of the library has no CUDA");
}
}  // namespace

std::unique_ptr<QueueState> make_cuda_queue(const Device&) {
  throw_no_cuda();
}
void* cuda_allocate(const Device&, std::size_t) {
  throw_no_cuda();
}
void cuda_deallocate(const Device&, void*) noexcept {}
std::vector<DeviceFacts> cuda_device_facts() {
  return {};
}

}  // namespace batchlas::inline v0::detail
