// The work-group of device/group.hh on HIP: a block; its sub-groups are wavefronts of 64 lanes (GCN, CDNA).
//
// AMD has no counterpart of some of NVIDIA's operations, so they are written out: an asynchronous copy is an
// ordinary one, done when the call returns; a LocalBarrier is a word in local memory that its users update by
// compare and swap, waiting by spinning; mma_m16n8k8 is shuffles and fmas. A wavefront's lanes do not advance
// independently, so a lane must not wait for an arrival that another lane of its own wavefront makes later in
// a branch of its own.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "device/function.hh"
#include "device/group.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::device::hip {

inline constexpr int wavefront = 64;
#if defined(__AMDGCN_WAVEFRONT_SIZE)
static_assert(__AMDGCN_WAVEFRONT_SIZE == wavefront, "written for devices with wavefronts of 64 lanes");
#endif

namespace detail {
// Moves a value of any size through the 4-byte permute.
template <class T>
BATCHLAS_DEVICE_FN T from_lane(const T& value, int lane) {
  static_assert(sizeof(T) % 4 == 0);
  constexpr int words = sizeof(T) / 4;
  int word[words];
  memcpy(word, &value, sizeof(T));
  BATCHLAS_UNROLL
  for (int i = 0; i < words; ++i) word[i] = __builtin_amdgcn_ds_bpermute(4 * lane, word[i]);
  T moved;
  memcpy(&moved, word, sizeof(T));
  return moved;
}

template <int Bytes>
BATCHLAS_DEVICE_FN void copy(void* local, const void* global) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
  __builtin_memcpy(__builtin_assume_aligned(local, Bytes), __builtin_assume_aligned(global, Bytes), Bytes);
}

// What a LocalBarrier holds: bit 0 the parity of the current phase, from bit 1 the arrivals a phase expects,
// from 21 those it still misses, from 42 the bytes it still misses (signed: copies may come before they are
// announced).
inline constexpr int expected_at = 1, pending_at = 21, bytes_at = 42;
inline constexpr std::uint64_t arrivals_mask = (std::uint64_t{1} << 20) - 1;

BATCHLAS_DEVICE_FN void update(LocalBarrier& barrier, int arrivals, std::int64_t more_bytes) {
  std::uint64_t now = __hip_atomic_load(&barrier.state, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP), next;
  do {
    next = now - (static_cast<std::uint64_t>(arrivals) << pending_at) +
           (static_cast<std::uint64_t>(more_bytes) << bytes_at);
    if (next >> pending_at == 0)  // complete: the next phase begins
      next = (next ^ 1) | (next >> expected_at & arrivals_mask) << pending_at;
  } while (!__hip_atomic_compare_exchange_strong(&barrier.state, &now, next, __ATOMIC_ACQ_REL,
                                                 __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP));
}
}  // namespace detail

class SubGroup {
 public:
  BATCHLAS_DEVICE_FN int lane() const { return static_cast<int>(threadIdx.x) % wavefront; }
  BATCHLAS_DEVICE_FN static constexpr int size() { return wavefront; }
  BATCHLAS_DEVICE_FN int index() const { return static_cast<int>(threadIdx.x) / wavefront; }
  BATCHLAS_DEVICE_FN void barrier() const {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  }

  template <class T>
  BATCHLAS_DEVICE_FN T shuffle(const T& value, int lane) const {
    return detail::from_lane(value, lane);
  }
  template <class T>
  BATCHLAS_DEVICE_FN T shuffle_xor(const T& value, int mask) const {
    return detail::from_lane(value, lane() ^ mask);
  }
  BATCHLAS_DEVICE_FN bool any(bool vote) const { return ballot(vote) != 0; }
  BATCHLAS_DEVICE_FN bool all(bool vote) const { return ballot(!vote) == 0; }
  BATCHLAS_DEVICE_FN std::uint64_t ballot(bool vote) const { return __ballot(vote); }

  /// The halves of the wavefront are 32 lanes of PTX's layout each, with an mma of their own.
  BATCHLAS_DEVICE_FN void mma_m16n8k8(double (&c)[4], const double (&a)[4], const double (&b)[2]) const {
    const int half = lane() & 32, row = lane() % 32 / 4, column = 2 * (lane() % 4);
    BATCHLAS_UNROLL
    for (int i = 0; i < 4; ++i) {
      BATCHLAS_UNROLL
      for (int k = 0; k < 8; ++k) {
        const double a_ik = shuffle(a[i / 2 + 2 * (k / 4)], half + row * 4 + k % 4);
        const double b_kn = shuffle(b[k / 4], half + (column + i % 2) * 4 + k % 4);
        c[i] = fused(a_ik, b_kn, c[i]);
      }
    }
  }
};

class Group {
 public:
  BATCHLAS_DEVICE_FN explicit Group(std::int64_t first) : first_(first) {}

  BATCHLAS_DEVICE_FN std::int64_t index() const { return first_ + blockIdx.x; }
  BATCHLAS_DEVICE_FN int rank() const { return static_cast<int>(threadIdx.x); }
  BATCHLAS_DEVICE_FN int size() const { return static_cast<int>(blockDim.x); }
  BATCHLAS_DEVICE_FN void barrier() const { __syncthreads(); }
  BATCHLAS_DEVICE_FN SubGroup sub_group() const { return {}; }

  template <class T>
  BATCHLAS_DEVICE_FN T* local(std::int64_t byte_offset = 0) const {
    extern __shared__ __attribute__((aligned(16))) unsigned char memory[];
    return reinterpret_cast<T*>(memory + static_cast<int>(byte_offset));
  }

  template <int Bytes>
  BATCHLAS_DEVICE_FN void copy_async(void* local, const void* global) const {
    detail::copy<Bytes>(local, global);
  }
  BATCHLAS_DEVICE_FN void copy_commit() const {}
  template <int N>
  BATCHLAS_DEVICE_FN void copy_wait() const {
    static_assert(N >= 0);
  }

  BATCHLAS_DEVICE_FN void init(LocalBarrier& barrier, int arrivals) const {
    const auto n = static_cast<std::uint64_t>(arrivals);
    barrier.state = n << detail::expected_at | n << detail::pending_at;
  }
  BATCHLAS_DEVICE_FN void arrive(LocalBarrier& barrier, int count = 1) const {
    detail::update(barrier, count, 0);
  }
  BATCHLAS_DEVICE_FN void arrive_expect(LocalBarrier& barrier, int bytes) const {
    detail::update(barrier, 1, bytes);
  }
  BATCHLAS_DEVICE_FN void wait(LocalBarrier& barrier, int parity) const {
    while (
        static_cast<int>(__hip_atomic_load(&barrier.state, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) &
                         1) == parity)
      __builtin_amdgcn_s_sleep(1);
  }
  BATCHLAS_DEVICE_FN void bulk_copy(void* local, const void* global, int bytes, LocalBarrier& barrier) const {
    for (int at = 0; at < bytes; at += 16)
      detail::copy<16>(static_cast<char*>(local) + at, static_cast<const char*>(global) + at);
    detail::update(barrier, 0, -static_cast<std::int64_t>(bytes));
  }
  BATCHLAS_DEVICE_FN void bulk_fence() const {}

 private:
  std::int64_t first_;
};

}  // namespace batchlas::inline v0::device::hip
