// The devices: how each is named, found and described.
#include "batchlas/device.hh"

#include <atomic>
#include <charconv>
#include <stdexcept>
#include <string>

#include "batchlas/status.hh"
#include "device/cpu_facts.hh"
#include "device/launch.hh"
#include "device/state.hh"
#include "device/vendor_hook.hh"

namespace batchlas::inline v0 {
namespace detail {
namespace {

using StatePointer = std::shared_ptr<const DeviceState>;

std::atomic<unsigned> vendor_kinds{0};

unsigned bit(DeviceKind kind) {
  return 1u << static_cast<unsigned>(kind);
}

/// A device with and without vendor library: which one it is can change while vendor rooms register.
struct StatePair {
  StatePointer without, with;

  explicit StatePair(DeviceState state) {
    state.facts.has_vendor = false;
    without = std::make_shared<const DeviceState>(state);
    state.facts.has_vendor = true;
    with = std::make_shared<const DeviceState>(state);
  }
  const StatePointer& get() const { return has_vendor(with->kind) ? with : without; }
};

const std::vector<StatePair>& cuda_states() {
  static const std::vector<StatePair> states = [] {
    std::vector<StatePair> found;
    for (const DeviceFacts& facts : cuda_device_facts()) {
      found.emplace_back(DeviceState{DeviceKind::Cuda, static_cast<int>(found.size()), facts, {}});
    }
    return found;
  }();
  return states;
}

[[noreturn]] void throw_unknown_device(std::string_view text) {
  throw std::invalid_argument("Device::parse: \"" + std::string(text) +
                              "\", expected cpu, cuda, cuda:<ordinal>, host or host:<device key>");
}

}  // namespace

void register_vendor(DeviceKind kind) {
  vendor_kinds |= bit(kind);
}
bool has_vendor(DeviceKind kind) {
  return (vendor_kinds & bit(kind)) != 0;
}

}  // namespace detail

Device Device::cpu() {
  static const detail::StatePair states(detail::DeviceState{DeviceKind::Cpu, 0, detail::cpu_facts(), {}});
  return Device(states.get());
}

Device Device::cuda(int ordinal) {
  const auto& states = detail::cuda_states();
  if (ordinal >= 0 && ordinal < static_cast<int>(states.size())) return Device(states[ordinal].get());
  if (!BATCHLAS_HAS_CUDA) throw NoRouteError("Device::cuda: this build of the library has no CUDA");
  throw std::invalid_argument("Device::cuda: ordinal " + std::to_string(ordinal) + ", this machine has " +
                              std::to_string(states.size()) + " usable CUDA devices");
}

Device Device::host_executor(std::string_view key, const HostExecutorOptions& options) {
  const int width = options.sub_group_size;
  if (width != 1 && width != 8 && width != 32 && width != 64) {
    throw std::invalid_argument("Device::host_executor: sub_group_size " + std::to_string(width) +
                                ", expected 1, 8, 32 or 64");
  }
  detail::DeviceState state{DeviceKind::HostExecutor, 0, detail::known_gpu_facts(key), options};
  // The default stands for the device's own width, which is 64 for gfx90a.
  if (width == HostExecutorOptions{}.sub_group_size) state.host.sub_group_size = state.facts.sub_group_size;
  state.facts.sub_group_size = state.host.sub_group_size;
  state.facts.has_vendor = detail::has_vendor(state.kind);
  return Device(std::make_shared<const detail::DeviceState>(std::move(state)));
}

Device Device::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  if (colon == std::string_view::npos) {
    if (kind == "cpu") return cpu();
    if (kind == "cuda") return cuda();
    if (kind == "host") return host_executor();
    detail::throw_unknown_device(text);
  }
  const std::string_view rest = text.substr(colon + 1);
  if (kind == "host") return host_executor(rest);
  if (kind == "cuda") {
    int ordinal = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), ordinal);
    if (error == std::errc() && end == rest.data() + rest.size()) return cuda(ordinal);
  }
  detail::throw_unknown_device(text);
}

Device Device::default_device() {
  return cuda_device_count() > 0 ? cuda(0) : cpu();
}

std::vector<Device> Device::all() {
  std::vector<Device> devices;
  for (int ordinal = 0; ordinal < cuda_device_count(); ++ordinal) devices.push_back(cuda(ordinal));
  devices.push_back(cpu());
  return devices;
}

DeviceKind Device::kind() const {
  return state_->kind;
}
int Device::ordinal() const {
  return state_->ordinal;
}
const DeviceFacts& Device::facts() const {
  return state_->facts;
}

int cuda_device_count() {
  return static_cast<int>(detail::cuda_states().size());
}

}  // namespace batchlas::inline v0
