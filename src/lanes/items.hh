// Addresses and extents of the items of a batch, one pack at a time.
#pragma once

#include <cstdint>

#include "batchlas/matrix_view.hh"

namespace batchlas::inline v0::lanes {

template <class T>
T* item_pointer(const MatrixView<T>& A, std::int64_t b) {
  return A.pointers ? A.pointers[b] : A.data + b * A.item_stride();
}

/// The order of square item b, or -1 where its extents are out of range or differ.
template <class T>
std::int64_t square_extent(const MatrixView<T>& A, std::int64_t b) {
  const std::int64_t rows = A.item_rows ? A.item_rows[b] : A.rows;
  const std::int64_t cols = A.item_cols ? A.item_cols[b] : A.cols;
  return rows == cols && rows >= 0 && rows <= A.rows && cols <= A.cols ? rows : -1;
}

/// Points items[0 .. width) at the pack of items first .. first + count; lanes past count repeat the last
/// item, so that a remainder runs through the same code: it loads before it stores, and equal lanes store
/// equal bits.
template <int width, class T>
inline void point_at_pack(const MatrixView<T>& A, std::int64_t first, std::int64_t count, T** items) {
  if (A.pointers == nullptr && count == width) {
    const std::int64_t stride = A.item_stride();
    T* item = A.data + first * stride;
    for (int lane = 0; lane < width; ++lane, item += stride) items[lane] = item;
  } else {
    for (int lane = 0; lane < width; ++lane)
      items[lane] = item_pointer(A, first + (lane < count ? lane : count - 1));
  }
}

}  // namespace batchlas::inline v0::lanes
