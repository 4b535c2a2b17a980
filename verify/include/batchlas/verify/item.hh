// One item of a batch in host memory, and the part of it that an op references.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"

namespace batchlas::verify {

/// A column-major matrix in host memory.
template <class T>
struct Item {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = 1;

  T* column(std::int64_t j) const { return data + j * ld; }
  T& operator()(std::int64_t i, std::int64_t j) const { return data[j * ld + i]; }
};

/// Item b of a view in host memory, its own extents applied. Throws std::invalid_argument where b or the
/// item's extents are out of range.
template <class T>
Item<T> item_of(const MatrixView<T>& view, std::int64_t b) {
  if (b < 0 || b >= view.batch) throw std::invalid_argument("verify: no item " + std::to_string(b));
  const std::int64_t rows = view.item_rows ? view.item_rows[b] : view.rows;
  const std::int64_t cols = view.item_cols ? view.item_cols[b] : view.cols;
  if (rows < 0 || rows > view.rows || cols < 0 || cols > view.cols)
    throw std::invalid_argument("verify: extents of item " + std::to_string(b) + " are out of range");
  T* data = view.pointers ? view.pointers[b] : view.data + b * view.item_stride();
  return {data, rows, cols, view.leading_dimension()};
}

/// As item_of, for items that must be square.
template <class T>
Item<T> square_item_of(const MatrixView<T>& view, std::int64_t b) {
  const Item<T> item = item_of(view, b);
  if (item.rows != item.cols)
    throw std::invalid_argument("verify: item " + std::to_string(b) + " is not square");
  return item;
}

/// The elements that an op reads and writes; the diagonal belongs to both triangles.
enum class Part : std::uint8_t { Lower, Upper, Full };

constexpr Part part_of(Uplo uplo) {
  return uplo == Uplo::Lower ? Part::Lower : Part::Upper;
}

/// The rows [first, last) of column j that belong to a part.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

constexpr RowRange rows_of_column(Part part, std::int64_t j, std::int64_t rows) {
  if (part == Part::Lower) return {std::min(j, rows), rows};
  if (part == Part::Upper) return {0, std::min(j + 1, rows)};
  return {0, rows};
}

}  // namespace batchlas::verify
