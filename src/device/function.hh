// Marks functions that kernels call: forced inline device code under a GPU compiler, plain inline code
// elsewhere.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define BATCHLAS_DEVICE_FN __device__ __forceinline__
#define BATCHLAS_HOST_DEVICE_FN __host__ __device__ __forceinline__
#define BATCHLAS_UNROLL _Pragma("unroll")
#define BATCHLAS_NO_UNROLL _Pragma("unroll 1")
#else
#define BATCHLAS_DEVICE_FN inline
#define BATCHLAS_HOST_DEVICE_FN inline
#define BATCHLAS_UNROLL
#define BATCHLAS_NO_UNROLL
#endif

#if defined(__CUDA_ARCH__)
#define BATCHLAS_ON_CUDA 1
#else
#define BATCHLAS_ON_CUDA 0
#endif

namespace batchlas::inline v0::device {

/// Hides a value from the optimiser: what is computed from it later is not kept alive from before. Used
/// between the loads and the stores of register kernels, where the compiler would otherwise hold every
/// address (200 bytes of spills in a 64 x 64 factor).
template <class T>
BATCHLAS_DEVICE_FN void opaque(T& value) {
#if BATCHLAS_ON_CUDA
  if constexpr (sizeof(T) == 8) {
    asm volatile("" : "+l"(value));
  } else {
    asm volatile("" : "+r"(value));
  }
#else
  (void)value;
#endif
}

/// An int that is also a compile-time constant, so that a lambda can index registers with it.
template <int I>
struct Constant {
  BATCHLAS_HOST_DEVICE_FN constexpr operator int() const { return I; }
};

/// Calls f(Constant<First>), ..., f(Constant<Last - 1>): a loop that is certainly unrolled.
template <int First, int Last, class F>
BATCHLAS_DEVICE_FN void unrolled(F&& f) {
  if constexpr (First < Last) {
    f(Constant<First>{});
    unrolled<First + 1, Last>(f);
  }
}

/// The same in host code: picks an instantiation from a list.
template <int First, int Last, class F>
void unrolled_host(F&& f) {
  if constexpr (First < Last) {
    f(Constant<First>{});
    unrolled_host<First + 1, Last>(f);
  }
}

}  // namespace batchlas::inline v0::device
