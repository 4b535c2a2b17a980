#include "lanes/target.hh"

#include <atomic>

#include "lanes/highway.hh"

// Highway's own run-time dispatch lives in libhwy, which Debian ships as a shared library only; detection by
// the compiler's builtin keeps libbatchlas free of that dependency.
namespace batchlas::inline v0::lanes {
namespace {

#if HWY_STATIC_TARGET == HWY_AVX3
constexpr Target compiled_baseline = Target::Avx512;
#elif HWY_STATIC_TARGET == HWY_AVX2
constexpr Target compiled_baseline = Target::Avx2;
#else
constexpr Target compiled_baseline = Target::Baseline;
#endif

Target detect() {
#if HWY_ARCH_X86
  // Every extension that Highway's target pragmas let the compiler use.
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("f16c");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (avx512) return Target::Avx512;
  if (avx2) return Target::Avx2;
#endif
  return compiled_baseline;
}

std::atomic<Target> most_wanted{Target::Avx512};

}  // namespace

Target chosen_target() {
  static const Target detected = detect();
  const Target most = most_wanted.load(std::memory_order_relaxed);
  const Target target = most < detected ? most : detected;
  return target < compiled_baseline ? compiled_baseline : target;
}

void limit_target(Target most) {
  most_wanted.store(most, std::memory_order_relaxed);
}

int vector_bytes() {
  constexpr int bytes[] = {16, 32, 64};
  return bytes[static_cast<int>(chosen_target())];
}

const char* name(Target target) {
  constexpr const char* names[] = {"baseline", "avx2", "avx512"};
  return names[static_cast<int>(target)];
}

}  // namespace batchlas::inline v0::lanes
