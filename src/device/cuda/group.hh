// The work-group of device/group.hh on CUDA: a block; its sub-groups are warps.
#pragma once

#include <cstdint>

#include "device/function.hh"
#include "device/group.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::device::cuda {

inline constexpr unsigned all_lanes = 0xffffffffu;

namespace detail {
// Moves a value of any size through the 4-byte shuffle.
template <class T, class Move>
BATCHLAS_DEVICE_FN T by_words(const T& value, Move move) {
  static_assert(sizeof(T) % 4 == 0);
  constexpr int words = sizeof(T) / 4;
  unsigned word[words];
  memcpy(word, &value, sizeof(T));
  BATCHLAS_UNROLL
  for (int i = 0; i < words; ++i) word[i] = move(word[i]);
  T moved;
  memcpy(&moved, word, sizeof(T));
  return moved;
}

BATCHLAS_DEVICE_FN unsigned local_address(const void* local) {
  return static_cast<unsigned>(__cvta_generic_to_shared(local));
}
}  // namespace detail

class SubGroup {
 public:
  // Index types are int on purpose: unsigned ones cost registers (measured on the Cholesky kernels).
  BATCHLAS_DEVICE_FN int lane() const { return static_cast<int>(threadIdx.x) & 31; }
  BATCHLAS_DEVICE_FN static constexpr int size() { return 32; }
  BATCHLAS_DEVICE_FN int index() const { return static_cast<int>(threadIdx.x) >> 5; }
  BATCHLAS_DEVICE_FN void barrier() const { __syncwarp(); }

  template <class T>
  BATCHLAS_DEVICE_FN T shuffle(const T& value, int lane) const {
    return detail::by_words(value, [lane](unsigned w) { return __shfl_sync(all_lanes, w, lane); });
  }
  template <class T>
  BATCHLAS_DEVICE_FN T shuffle_xor(const T& value, int mask) const {
    return detail::by_words(value, [mask](unsigned w) { return __shfl_xor_sync(all_lanes, w, mask); });
  }
  BATCHLAS_DEVICE_FN bool any(bool vote) const { return __any_sync(all_lanes, vote); }
  BATCHLAS_DEVICE_FN bool all(bool vote) const { return __all_sync(all_lanes, vote); }
  BATCHLAS_DEVICE_FN std::uint64_t ballot(bool vote) const { return __ballot_sync(all_lanes, vote); }

  BATCHLAS_DEVICE_FN void mma_m16n8k8(double (&c)[4], const double (&a)[4], const double (&b)[2]) const {
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
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
    extern __shared__ __align__(16) unsigned char memory[];
    return reinterpret_cast<T*>(memory + static_cast<int>(byte_offset));
  }

  template <int Bytes>
  BATCHLAS_DEVICE_FN void copy_async(void* local, const void* global) const {
    if constexpr (Bytes == 16) {  // .cg skips L1, which only the 16-byte form may
      asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(detail::local_address(local)), "l"(global)
                   : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0],[%1],%2;" ::"r"(detail::local_address(local)), "l"(global),
                   "n"(Bytes)
                   : "memory");
    }
  }
  BATCHLAS_DEVICE_FN void copy_commit() const { asm volatile("cp.async.commit_group;" ::: "memory"); }
  template <int N>
  BATCHLAS_DEVICE_FN void copy_wait() const {
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
  }

  BATCHLAS_DEVICE_FN void init(LocalBarrier& barrier, int arrivals) const {
    asm volatile("mbarrier.init.shared.b64 [%0],%1;" ::"r"(detail::local_address(&barrier)), "r"(arrivals)
                 : "memory");
  }
  BATCHLAS_DEVICE_FN void arrive(LocalBarrier& barrier, int count = 1) const {
    asm volatile("mbarrier.arrive.shared.b64 _,[%0],%1;" ::"r"(detail::local_address(&barrier)), "r"(count)
                 : "memory");
  }
  BATCHLAS_DEVICE_FN void arrive_expect(LocalBarrier& barrier, int bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _,[%0],%1;" ::"r"(detail::local_address(&barrier)),
                 "r"(bytes)
                 : "memory");
  }
  BATCHLAS_DEVICE_FN void wait(LocalBarrier& barrier, int parity) const {
    asm volatile(
        "{.reg .pred done;\nWAIT_%=: mbarrier.try_wait.parity.shared.b64 done,[%0],%1;\n@!done bra "
        "WAIT_%=;}" ::"r"(detail::local_address(&barrier)),
        "r"(parity)
        : "memory");
  }
  BATCHLAS_DEVICE_FN void bulk_copy(void* local, const void* global, int bytes, LocalBarrier& barrier) const {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(
                     detail::local_address(local)),
                 "l"(global), "r"(bytes), "r"(detail::local_address(&barrier))
                 : "memory");
  }
  BATCHLAS_DEVICE_FN void bulk_fence() const { asm volatile("fence.proxy.async;" ::: "memory"); }

 private:
  std::int64_t first_;
};

}  // namespace batchlas::inline v0::device::cuda
