// A batch in host memory of any layout, guarded on both sides, that can be copied to a device as one block.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"

namespace batchlas::verify {

struct Layout {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = packed;
  std::int64_t stride = packed;
  std::int64_t batch = 1;
  bool pointers = false;                     ///< per-item pointers, the items lying in reverse order
  std::vector<std::int64_t> item_rows = {};  ///< empty or `batch` values
  std::vector<std::int64_t> item_cols = {};
  std::int64_t guard = 64;  ///< elements before and after the items
};

/// Owns the storage. Copies are deep: `auto result = input;` keeps the input for the check.
template <Scalar T>
class HostBatch {
 public:
  explicit HostBatch(const Layout& layout) : layout_(layout) {
    const auto count_fits = [&](const auto& list) {
      return list.empty() || std::int64_t(list.size()) == layout.batch;
    };
    if (!count_fits(layout.item_rows) || !count_fits(layout.item_cols))
      throw std::invalid_argument("HostBatch: item extents must be empty or one an item");
    storage_.resize(static_cast<std::size_t>(layout.batch * shape().item_stride() + 2 * layout.guard));
  }

  std::span<T> storage() { return storage_; }
  std::span<const T> storage() const { return storage_; }
  const Layout& layout() const { return layout_; }

  /// The view of the host memory; it lives as long as this object stays where it is.
  MatrixView<T> view() {
    // Written once only, and once more in a copy: earlier views keep the pointer array.
    if (auto pointers = pointers_on(storage_.data()); pointers != pointers_) pointers_ = std::move(pointers);
    const auto list = [](const auto& extents) { return extents.empty() ? nullptr : extents.data(); };
    return view_on(storage_.data(), pointers_.data(), list(layout_.item_rows), list(layout_.item_cols));
  }

  /// One pointer an item, for a copy of the storage that begins at `base`; empty unless the layout has
  /// pointers.
  std::vector<T*> pointers_on(T* base) const {
    std::vector<T*> list;
    for (std::int64_t b = 0; layout_.pointers && b < layout_.batch; ++b)
      list.push_back(base + layout_.guard + (layout_.batch - 1 - b) * shape().item_stride());
    return list;
  }

  /// The same view of a copy of the storage; pointers and extents are copies of pointers_on(base) and of the
  /// layout's lists in the same memory.
  MatrixView<T> view_on(T* base, T* const* pointers, const std::int64_t* item_rows,
                        const std::int64_t* item_cols) const {
    MatrixView<T> view = shape();
    if (layout_.pointers)
      view.pointers = pointers;
    else
      view.data = base + layout_.guard;
    if (!layout_.item_rows.empty()) view.item_rows = item_rows;
    if (!layout_.item_cols.empty()) view.item_cols = item_cols;
    return view;
  }

 private:
  MatrixView<T> shape() const {
    return {.rows = layout_.rows,
            .cols = layout_.cols,
            .ld = layout_.ld,
            .stride = layout_.stride,
            .batch = layout_.batch};
  }
  Layout layout_;
  std::vector<T> storage_;
  std::vector<T*> pointers_;
};

}  // namespace batchlas::verify
