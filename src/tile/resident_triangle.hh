// A lower triangle that lives in local memory as block columns of 8.
#pragma once

#include <cstdint>

#include "device/function.hh"
#include "tile/lower_view.hh"
#include "tile/register_tile.hh"

namespace batchlas::inline v0::tile {

/// Where its elements lie. Block column q holds the rows from 8 q on of 8 columns, column-major; its pitch is
/// 8 less than that of the last one, so that all pitches are odd multiples of 16 bytes. n^2 / 2 + 8 n
/// elements at most.
template <class E>
struct ResidentTriangle {
  static constexpr int width = 8;
  int n;
  int first_pitch;

  BATCHLAS_HOST_DEVICE_FN constexpr explicit ResidentTriangle(int order)
      : n(order), first_pitch(odd_pitch<E>(order)) {}

  BATCHLAS_HOST_DEVICE_FN constexpr int blocks() const { return (n + width - 1) / width; }
  BATCHLAS_HOST_DEVICE_FN constexpr int pitch(int q) const { return first_pitch - width * q; }
  /// Start of block column q.
  BATCHLAS_HOST_DEVICE_FN constexpr int block(int q) const {
    return width * q * (first_pitch - width / 2 * (q - 1));
  }
  BATCHLAS_HOST_DEVICE_FN constexpr int at(int i, int j) const {
    const int q = j / width;
    return block(q) + j % width * pitch(q) + i - width * q;
  }
  /// In 64 bits, so that a predicate may ask for any order.
  static constexpr std::int64_t bytes(std::int64_t order) {
    const std::int64_t q = (order + width - 1) / width;
    const std::int64_t pitch = (order + 3) / 4 * 4 + 2 * pack_size<E>;  // at least odd_pitch
    if (order > 4096) return width * q * (pitch - width / 2 * (q - 1)) * std::int64_t{sizeof(E)};
    const ResidentTriangle exact(static_cast<int>(order));
    return exact.block(static_cast<int>(q)) * std::int64_t{sizeof(E)};
  }
};

/// Calls f(i, j) for the elements of a triangle of order n, dealt to the work-items so that neighbours touch
/// neighbours in global memory: sub-groups take columns of a lower triangle; an upper one is walked in strips
/// of 8, whose places in a ResidentTriangle fall into different banks.
template <class Group, class F>
BATCHLAS_DEVICE_FN void for_triangle(const Group& g, int n, bool upper, F&& f) {
  if (upper) {
    const int u = g.rank() % 8, v = g.rank() / 8;
    for (int first = 0; first < n; first += 8) {
      const int j = first + u;
      for (int i = first + v; i < n; i += g.size() / 8) {
        if (j <= i) f(i, j);
      }
    }
  } else {
    const auto sub = g.sub_group();
    for (int j = sub.index(); j < n; j += g.size() / sub.size()) {
      for (int i = j / 8 * 8 + sub.lane(); i < n; i += sub.size()) {
        if (j <= i) f(i, j);
      }
    }
  }
}

/// Starts the copies of a triangle into local memory; copy_commit, copy_wait and a barrier are the caller's.
template <class E, class Group>
BATCHLAS_DEVICE_FN void fetch_triangle(const Group& g, E* local, const ResidentTriangle<E>& layout,
                                       const LowerView<E>& from) {
  for_triangle(g, layout.n, from.upper, [&](int i, int j) {
    g.template copy_async<sizeof(E)>(local + layout.at(i, j), from.at(i, j));
  });
}

template <class E, class Group>
BATCHLAS_DEVICE_FN void store_triangle(const Group& g, const LowerView<E>& to, const E* local,
                                       const ResidentTriangle<E>& layout) {
  for_triangle(g, layout.n, to.upper, [&](int i, int j) { *to.at(i, j) = local[layout.at(i, j)]; });
}

}  // namespace batchlas::inline v0::tile
