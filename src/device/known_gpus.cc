// GPUs that the host executor can stand for: the limits that kernels and tables ask about.
#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "device/cpu_facts.hh"

namespace batchlas::inline v0::detail {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

struct KnownGpu {
  const char* key;
  const char* family;
  int arch_number;
  const char* name;
  int sub_group_size;
  std::int64_t local_bytes;
  int multiprocessors;
  std::int64_t l2_bytes, memory_bytes;
};

// A name is that of the SKU whose table the library has or would have, so that a table is never a borrow
// here.
constexpr KnownGpu known_gpus[] = {
    {"sm_80", "sm", 80, "NVIDIA A100-SXM4-80GB", 32, 163 * KiB, 108, 40 * MiB, 80 * GiB},
    {"sm_89", "sm", 89, "NVIDIA GeForce RTX 4090", 32, 99 * KiB, 128, 72 * MiB, 24 * GiB},
    {"sm_90", "sm", 90, "NVIDIA H200", 32, 227 * KiB, 132, 60 * MiB, 139 * GiB},
    {"sm_120", "sm", 120, "NVIDIA GeForce RTX 5090", 32, 99 * KiB, 170, 96 * MiB, 32 * GiB},
    {"gfx90a", "gfx", 90, "AMD Instinct MI250X", 64, 64 * KiB, 110, 8 * MiB, 64 * GiB},
};

}  // namespace

DeviceFacts known_gpu_facts(std::string_view key) {
  const auto gpu = std::find_if(std::begin(known_gpus), std::end(known_gpus),
                                [&](const KnownGpu& known) { return key == known.key; });
  if (gpu == std::end(known_gpus)) {
    std::string keys;
    for (const KnownGpu& known : known_gpus) keys += (keys.empty() ? "" : ", ") + std::string(known.key);
    throw std::invalid_argument("host executor: unknown device key \"" + std::string(key) +
                                "\", expected one of " + keys);
  }
  DeviceFacts facts;
  facts.key = gpu->key;
  facts.family = gpu->family;
  facts.arch_number = gpu->arch_number;
  facts.name = gpu->name;
  facts.is_gpu = true;
  facts.sub_group_size = gpu->sub_group_size;
  facts.max_work_group = 1024;
  facts.local_bytes = gpu->local_bytes;
  facts.multiprocessors = gpu->multiprocessors;
  facts.l2_bytes = gpu->l2_bytes;
  facts.memory_bytes = gpu->memory_bytes;
  return facts;
}

}  // namespace batchlas::inline v0::detail
