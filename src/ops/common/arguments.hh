// Checks that every op makes of its arguments. Each throws std::invalid_argument naming op, argument, value
// and what was expected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/queue.hh"

namespace batchlas::inline v0::op_support {

/// Throws std::invalid_argument: "potrf: A.ld is 3, expected at least A.rows = 4".
[[noreturn]] void refuse(std::string_view op, std::string_view argument, std::string_view value,
                         std::string_view expected);

/// A view without its element type.
struct UntypedView {
  const void* data;
  const void* pointers;
  std::int64_t rows, cols, ld, stride, batch;
  const std::int64_t *item_rows, *item_cols;
  std::int64_t element_bytes;
};

template <class T>
UntypedView untyped(const MatrixView<T>& view) {
  return {view.data,          view.pointers, view.rows,      view.cols,      view.leading_dimension(),
          view.item_stride(), view.batch,    view.item_rows, view.item_cols, sizeof(T)};
}

/// Extents, ld, stride and addresses that fit together and that the queue's device can reach; for an operand
/// that is written also that no two items overlap.
void check_view(const Queue& queue, std::string_view op, std::string_view argument, const UntypedView& view,
                bool written);

void check_square(std::string_view op, std::string_view argument, const UntypedView& view);

/// A value that Uplo names: one cast from an integer need not be.
void check_uplo(std::string_view op, Uplo uplo);

/// info is empty or has one value an item.
void check_info(const Queue& queue, std::string_view op, std::span<std::int32_t> info, std::int64_t batch);

/// A workspace that the caller gave is aligned and at least as large as needed.
void check_workspace(const Queue& queue, std::string_view op, Workspace workspace, std::size_t needed);

}  // namespace batchlas::inline v0::op_support
