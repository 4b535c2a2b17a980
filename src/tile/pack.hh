// Consecutive elements that travel in one memory access.
#pragma once

#include "device/function.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::tile {

template <class E, int K>
struct alignas(sizeof(E) * K > 16 ? 16 : sizeof(E) * K) Pack {
  E of[K];
};

/// Elements of the widest access, 16 bytes.
template <class E>
inline constexpr int pack_size = sizeof(E) < 16 ? 16 / static_cast<int>(sizeof(E)) : 1;

/// Reads K elements at an address aligned to their size (16 bytes at most).
template <int K, class E>
BATCHLAS_DEVICE_FN Pack<E, K> load_pack(const E* from) {
  return *reinterpret_cast<const Pack<E, K>*>(from);
}

template <int K, class E>
BATCHLAS_DEVICE_FN void store_pack(E* to, const Pack<E, K>& pack) {
  *reinterpret_cast<Pack<E, K>*>(to) = pack;
}

template <int K, class E>
BATCHLAS_DEVICE_FN Pack<E, K> sum(Pack<E, K> a, const Pack<E, K>& b) {
  BATCHLAS_UNROLL
  for (int i = 0; i < K; ++i) {
    if constexpr (device::is_complex_scalar<E>) {
      a.of[i] = {a.of[i].re + b.of[i].re, a.of[i].im + b.of[i].im};
    } else {
      a.of[i] = a.of[i] + b.of[i];
    }
  }
  return a;
}

}  // namespace batchlas::inline v0::tile
