// How kernels see a batch: one accessor for strided, pointer-array and per-item-extent views.
#pragma once

#include <cstdint>

#include "batchlas/matrix_view.hh"
#include "device/function.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::device {

/// MatrixView with its defaults resolved, in the kernel's scalar type. One view type reaches every kernel:
/// the run-time branch on `pointers` costs no registers.
template <class T>
struct Batch {
  using Element = KernelScalar<T>;
  Element* data = nullptr;
  Element* const* pointers = nullptr;
  std::int64_t ld = 0;
  std::int64_t stride = 0;
  std::int64_t count = 0;
  const std::int64_t* item_rows = nullptr;
  const std::int64_t* item_cols = nullptr;
  int rows = 0;
  int cols = 0;

  BATCHLAS_HOST_DEVICE_FN Element* item(std::int64_t b) const {
    return pointers ? pointers[b] : data + b * stride;
  }

  /// Order of square item b: its extents where given, -1 where they are out of range or differ.
  BATCHLAS_HOST_DEVICE_FN int order(std::int64_t b) const {
    if (!item_rows && !item_cols) return rows;
    const std::int64_t r = item_rows ? item_rows[b] : rows;
    const std::int64_t c = item_cols ? item_cols[b] : cols;
    return r == c && r >= 0 && r <= rows ? static_cast<int>(r) : -1;
  }
};

template <class T>
Batch<T> make_batch(const MatrixView<T>& view) {
  using Element = KernelScalar<T>;
  return {reinterpret_cast<Element*>(view.data),
          reinterpret_cast<Element* const*>(view.pointers),
          view.leading_dimension(),
          view.item_stride(),
          view.batch,
          view.item_rows,
          view.item_cols,
          static_cast<int>(view.rows),
          static_cast<int>(view.cols)};
}

}  // namespace batchlas::inline v0::device
