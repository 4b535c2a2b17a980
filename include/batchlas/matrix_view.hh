// A batch of matrices in memory that somebody else owns.
#pragma once

#include <cstdint>
#include <type_traits>

namespace batchlas::inline v0 {

/// Says "no gap": as ld, columns follow each other; as stride, items do.
inline constexpr std::int64_t packed = -1;

/// A batch of rows x cols column-major matrices. Element (i, j) of item b is data[b * stride + j * ld + i],
/// or pointers[b][j * ld + i] where per-item pointers are given.
///
/// Build it with named fields, so that ld, stride and batch cannot be swapped:
///     MatrixView<float> A{.data = p, .rows = n, .cols = n, .batch = 4096};
///
/// All memory, `pointers`, `item_rows` and `item_cols` included, must be reachable by the device of the
/// queue, and must live until the event of the call that uses it.
template <class T>
struct MatrixView {
  T* data = nullptr;             ///< first element of item 0; unused where `pointers` is set
  T* const* pointers = nullptr;  ///< one pointer an item, in device memory
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = packed;  ///< elements between columns, at least max(1, rows); packed = rows
  std::int64_t stride =
      packed;  ///< elements between items; packed = ld * cols; 0 repeats one item (read-only operands)
  std::int64_t batch = 1;
  /// Optional per-item extents in device memory, each within [0, rows] and [0, cols]. Item b is then the
  /// leading item_rows[b] x item_cols[b] block of its slot.
  const std::int64_t* item_rows = nullptr;
  const std::int64_t* item_cols = nullptr;

  constexpr std::int64_t leading_dimension() const { return ld == packed ? (rows > 1 ? rows : 1) : ld; }
  constexpr std::int64_t item_stride() const {
    return stride == packed ? leading_dimension() * cols : stride;
  }
  constexpr bool empty() const { return rows == 0 || cols == 0 || batch == 0; }
  constexpr bool has_item_extents() const { return item_rows != nullptr || item_cols != nullptr; }

  /// The items [first, first + count) of this view.
  constexpr MatrixView slice(std::int64_t first, std::int64_t count) const {
    MatrixView part = *this;
    if (pointers) part.pointers = pointers + first;
    if (data) part.data = data + first * item_stride();
    if (item_rows) part.item_rows = item_rows + first;
    if (item_cols) part.item_cols = item_cols + first;
    part.ld = leading_dimension();
    part.stride = item_stride();
    part.batch = count;
    return part;
  }

  /// This view's first item repeated `count` times without copies; only for operands that are read.
  constexpr MatrixView<const T> broadcast(std::int64_t count) const {
    MatrixView<const T> wide = *this;
    wide.stride = 0;
    wide.batch = count;
    return wide;
  }

  constexpr operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data, pointers, rows, cols, ld, stride, batch, item_rows, item_cols};
  }
};

}  // namespace batchlas::inline v0
