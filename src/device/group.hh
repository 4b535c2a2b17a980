// What a kernel may use of the work-group it runs in. Kernels are functors templated on Group:
//
//   struct Kernel {
//     static constexpr int group_size = 128;  // work-items a group
//     static constexpr int min_groups = 1;    // resident groups that the register budget allows for
//
//     template <class Group>
//     BATCHLAS_DEVICE_FN void operator()(const Group& g) const;
//   };
//
// A Group has
//   std::int64_t index()            which group of the launch (64-bit; grid limits are the launch's business)
//   int rank(), size()              work-item within the group, work-items a group
//   void barrier()                  all work-items of the group; orders local memory
//   SubGroup sub_group()
//   T* local<T>(byte_offset)        the group's local memory, 16-byte aligned, uninitialised
//   copy_async<Bytes>(local, global), copy_commit(), copy_wait<N>()
//                                   Bytes of 4, 8, 16 per work-item, visible to the work-item itself after
//                                   the wait that leaves at most N commits pending, to others after a barrier
//                                   more
//   init(barrier, arrivals), arrive(barrier, n), arrive_expect(barrier, bytes), wait(barrier, parity),
//   bulk_copy(local, global, bytes, barrier), bulk_fence()
//                                   transaction barriers (LocalBarrier, in local memory) and bulk copies:
//                                   multiples of 16 bytes, 16-byte aligned; bulk_fence orders plain stores
//                                   before later bulk copies
//
// and a SubGroup
//   int lane(), size(), index()     size is a property of the device (32 on NVIDIA, 64 on AMD, a
//                                   parameter of the host executor): never write the literal
//   void barrier()                  orders local memory within the sub-group
//   T shuffle(value, lane), shuffle_xor(value, mask)   any trivially copyable T of 4, 8 or 16 bytes
//   bool any(bool), all(bool);  std::uint64_t ballot(bool)
//   mma_m16n8k8(c, a, b)            double, the fragment layout of PTX's mma.m16n8k8: c += a b
//
// All work-items of a (sub-)group must reach each of its barriers, shuffles and votes; the host executor
// checks it.
#pragma once

#include <cstdint>

namespace batchlas::inline v0::device {

/// Size of a launch. `groups` may exceed every hardware grid limit.
struct LaunchShape {
  std::int64_t groups = 0;
  int group_size = 0;
  std::int64_t local_bytes = 0;
};

/// A transaction barrier in local memory, opaque to kernels.
struct alignas(8) LocalBarrier {
  std::uint64_t state;
};

}  // namespace batchlas::inline v0::device
