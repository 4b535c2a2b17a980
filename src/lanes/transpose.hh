// Moves elements between W matrices in memory and packs in registers. A group is what fills 16 bytes of one
// matrix: one 16-byte load an item, then a transpose inside the 16-byte blocks; no shuffle crosses a block,
// and gathers (5 to 10 times the instructions on AMD) are not used. Compiled once a SIMD target.
#if defined(BATCHLAS_LANES_TRANSPOSE_HH) == defined(HWY_TARGET_TOGGLE)
#ifdef BATCHLAS_LANES_TRANSPOSE_HH
#undef BATCHLAS_LANES_TRANSPOSE_HH
#else
#define BATCHLAS_LANES_TRANSPOSE_HH
#endif

#include <cstddef>

#include "lanes/simd.hh"

HWY_BEFORE_NAMESPACE();
namespace batchlas::inline v0::lanes::HWY_NAMESPACE {

/// Elements of one group: 4 float, 2 double, 2 complex<float>, 1 complex<double>.
template <class T>
inline constexpr std::ptrdiff_t group = 16 / sizeof(T);

/// The pack of W scalars that follow each other in memory.
template <class T>
HWY_INLINE Pack<T> load_adjacent(const T* from) {
  const Tag<Real<T>> d;
  const Real<T>* const reals = reinterpret_cast<const Real<T>*>(from);
  if constexpr (is_complex<T>) {
    Pack<T> pack;
    hn::LoadInterleaved2(d, reals, pack.re, pack.im);
    return pack;
  } else {
    return hn::LoadU(d, reals);
  }
}

template <class T>
HWY_INLINE void store_adjacent(Pack<T> pack, T* to) {
  const Tag<Real<T>> d;
  Real<T>* const reals = reinterpret_cast<Real<T>*>(to);
  if constexpr (is_complex<T>) {
    hn::StoreInterleaved2(pack.re, pack.im, d, reals);
  } else {
    hn::StoreU(pack, d, reals);
  }
}

namespace detail {

template <class R>
inline constexpr std::ptrdiff_t block = 16 / sizeof(R);  // reals of a 16-byte block

/// The blocks at `offset` of items 0, block, 2 * block, ... as one vector.
template <class D, class R>
HWY_INLINE hn::Vec<D> load_blocks(D d, const R* const* items, std::ptrdiff_t offset) {
  constexpr std::ptrdiff_t lanes = hn::MaxLanes(d);
  if constexpr (lanes == block<R>) {
    return hn::LoadU(d, items[0] + offset);
  } else {
    const hn::Half<D> half;
    const auto low = load_blocks(half, items, offset);
    return hn::Combine(d, load_blocks(half, items + lanes / 2, offset), low);
  }
}

template <class D, class R>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, R* const* items, std::ptrdiff_t offset) {
  constexpr std::ptrdiff_t lanes = hn::MaxLanes(d);
  if constexpr (lanes == block<R>) {
    hn::StoreU(v, d, items[0] + offset);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), items, offset);
    store_blocks(half, hn::UpperHalf(half, v), items + lanes / 2, offset);
  }
}

/// Stores the first `count` reals of each block, 0 < count < block.
template <class D, class R>
HWY_INLINE void store_block_parts(D d, hn::Vec<D> v, R* const* items, std::ptrdiff_t offset,
                                  std::ptrdiff_t count) {
  constexpr std::ptrdiff_t lanes = hn::MaxLanes(d);
  if constexpr (lanes > block<R>) {
    const hn::Half<D> half;
    store_block_parts(half, hn::LowerHalf(half, v), items, offset, count);
    store_block_parts(half, hn::UpperHalf(half, v), items + lanes / 2, offset, count);
  } else {
    R* const to = items[0] + offset;
    if (count >= 2) hn::StoreU(hn::LowerHalf(v), hn::Half<D>(), to);
    if (count == 1) to[0] = hn::GetLane(v);
    if constexpr (lanes == 4) {
      if (count == 3) to[2] = hn::GetLane(hn::UpperHalf(hn::Half<D>(), v));
    }
  }
}

/// In each block, swaps place in the block with place in `v`; its own inverse.
template <class R>
HWY_INLINE void transpose_blocks(RealVec<R> (&v)[block<R>]) {
  const Tag<R> d;
  if constexpr (block<R> == 2) {
    const auto low = hn::InterleaveLower(d, v[0], v[1]);
    v[1] = hn::InterleaveUpper(d, v[0], v[1]);
    v[0] = low;
  } else {
    const auto low02 = hn::InterleaveLower(d, v[0], v[2]), low13 = hn::InterleaveLower(d, v[1], v[3]);
    const auto high02 = hn::InterleaveUpper(d, v[0], v[2]), high13 = hn::InterleaveUpper(d, v[1], v[3]);
    v[0] = hn::InterleaveLower(d, low02, low13);
    v[1] = hn::InterleaveUpper(d, low02, low13);
    v[2] = hn::InterleaveLower(d, high02, high13);
    v[3] = hn::InterleaveUpper(d, high02, high13);
  }
}

template <class T>
HWY_INLINE void to_blocks(const Pack<T>* packs, RealVec<Real<T>> (&v)[block<Real<T>>]) {
  repeat(Fixed<group<T>>(), [&](auto e) BATCHLAS_INLINE {
    if constexpr (is_complex<T>) {
      v[2 * e] = packs[e].re;
      v[2 * e + 1] = packs[e].im;
    } else {
      v[e] = packs[e];
    }
  });
  transpose_blocks<Real<T>>(v);
}

}  // namespace detail

/// packs[e] = element offset + e of the W items, for one group.
template <class T>
HWY_INLINE void load_group(T* const* items, std::ptrdiff_t offset, Pack<T>* packs) {
  using R = Real<T>;
  constexpr std::ptrdiff_t block = detail::block<R>;
  R* const* const reals = reinterpret_cast<R* const*>(items);
  RealVec<R> v[block];
  repeat(Fixed<block>(), [&](auto k) BATCHLAS_INLINE {
    v[k] = detail::load_blocks(Tag<R>(), reals + k, offset * (is_complex<T> ? 2 : 1));
  });
  detail::transpose_blocks<R>(v);
  repeat(Fixed<group<T>>(), [&](auto e) BATCHLAS_INLINE {
    if constexpr (is_complex<T>) {
      packs[e] = {v[2 * e], v[2 * e + 1]};
    } else {
      packs[e] = v[e];
    }
  });
}

/// Element offset + e of the W items = packs[e], for the first `count` of one group.
template <class T>
HWY_INLINE void store_group(const Pack<T>* packs, T* const* items, std::ptrdiff_t offset,
                            std::ptrdiff_t count) {
  using R = Real<T>;
  constexpr std::ptrdiff_t block = detail::block<R>, parts = is_complex<T> ? 2 : 1;
  R* const* const reals = reinterpret_cast<R* const*>(items);
  RealVec<R> v[block];
  detail::to_blocks<T>(packs, v);
  repeat(Fixed<block>(), [&](auto k) BATCHLAS_INLINE {
    if (count >= group<T>) {
      detail::store_blocks(Tag<R>(), v[k], reals + k, offset * parts);
    } else {
      detail::store_block_parts(Tag<R>(), v[k], reals + k, offset * parts, count * parts);
    }
  });
}

}  // namespace batchlas::inline v0::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
