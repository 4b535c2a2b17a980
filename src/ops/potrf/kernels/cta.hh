// Cholesky with the whole triangle of an item in the local memory of one work-group: family `cta`.
//
// One read and one write of global memory, everything between in local memory (tile/resident_cholesky.hh), so
// its limit is the order whose triangle fits. Layout, batch and extents are free: elements are copied one by
// one.
#pragma once

#include <cstdint>

#include "device/launch.hh"
#include "device/scalar.hh"
#include "ops/potrf/kernels/families.hh"
#include "tile/resident_cholesky.hh"

namespace batchlas::inline v0::potrf_kernels {

template <class T>
struct PotrfCta {
  using E = device::KernelScalar<T>;
  static constexpr int group_size = 256;
  // As many as do not spill: 64 registers for float, 80 for double, 128 for complex scalars.
  static constexpr int min_groups = device::is_complex_scalar<E> ? 2 : sizeof(E) == 4 ? 4 : 3;

  Args<T> args;

  static device::LaunchShape layout(std::int64_t items, std::int64_t n) {
    return {items, cta_group_size(n), cta_local_bytes<T>(n)};
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    const std::int64_t b = g.index();
    const int n = args.A.order(b);
    const tile::LowerView<E> triangle{args.A.item(b), args.A.ld, args.uplo == Uplo::Upper};
    const int failed = n < 0 ? -2 : tile::cholesky_through_local(g, triangle, n);
    if (args.info && g.rank() == 0) args.info[b] = failed;
  }
};

template <class Executor, class T>
void launch_cta(const Executor& executor, const Args<T>& args) {
  executor.run(PotrfCta<T>::layout(args.A.count, args.A.rows), PotrfCta<T>{args});
}

}  // namespace batchlas::inline v0::potrf_kernels
