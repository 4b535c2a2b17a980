// Facts of the machine's CPU, as the library will use it.
#include "device/cpu_facts.hh"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace batchlas::inline v0::detail {
namespace {

std::string model_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "unknown CPU";
}

int simd_bytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 64;
  if (__builtin_cpu_supports("avx2")) return 32;
#endif
  return 16;
}

std::int64_t system_value(int name) {
  return std::max<std::int64_t>(0, sysconf(name));
}

}  // namespace

DeviceFacts cpu_facts() {
  DeviceFacts facts;
  facts.key = facts.family = "cpu";
  facts.name = model_name();
  facts.multiprocessors = omp_get_max_threads();
  facts.l2_bytes = system_value(_SC_LEVEL2_CACHE_SIZE);
  facts.memory_bytes = system_value(_SC_PHYS_PAGES) * system_value(_SC_PAGESIZE);
  facts.simd_bytes = simd_bytes();
  return facts;
}

}  // namespace batchlas::inline v0::detail
