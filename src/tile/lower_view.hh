// An item seen as a lower triangle, and the walk of a sub-group over a block of it.
#pragma once

#include <cstdint>

#include "device/function.hh"
#include "tile/pack.hh"

namespace batchlas::inline v0::tile {

/// Element (r, c), r >= c, of a Hermitian item whose lower or upper triangle is stored.
///
/// The upper triangle read by rows is the lower triangle of conj(A), and A = U^H U says conj(A) = U^T
/// (U^T)^H: U^T is the lower factor of conj(A). A kernel that reaches elements through this view thus factors
/// both triangles with the same operations, no conjugation anywhere, and results that are conjugates of each
/// other bit for bit.
template <class E>
struct LowerView {
  E* data;
  std::int64_t ld;
  bool upper;

  BATCHLAS_DEVICE_FN E* at(int r, int c) const { return data + (upper ? c + r * ld : r + c * ld); }
  /// The view whose element (0, 0) is this one's (r, c).
  BATCHLAS_DEVICE_FN LowerView from(int r, int c) const { return {at(r, c), ld, upper}; }

  /// True where rows of a column can be moved 16 bytes at a time, from row numbers that are multiples of
  /// pack_size.
  BATCHLAS_DEVICE_FN bool has_wide_columns() const {
    return !upper &&
           (reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(ld * sizeof(E))) % 16 == 0;
  }
};

/// Columns of a block that a sub-group walks at a time: 8 floats are one 32-byte sector of an upper triangle.
inline constexpr int block_columns = 8;

/// Calls f(r, q) for the rows r < sg.size() and columns q < 8 of a block, each on one lane, such that
/// neighbouring lanes touch neighbouring memory of a LowerView: down the columns, or along them where the
/// triangle is an upper one.
template <class SubGroup, class F>
BATCHLAS_DEVICE_FN void for_block(const SubGroup& sg, bool upper, F&& f) {
  int lane = sg.lane();
  device::opaque(
      lane);  // or what follows from it is computed once, and held in registers through whole kernels
  const int first_row = upper ? lane / block_columns : lane;
  const int first_column = upper ? lane % block_columns : 0;
  const int row_step = upper ? sg.size() / block_columns : 0;
  const int column_step = upper ? 0 : 1;
  BATCHLAS_UNROLL
  for (int e = 0; e < block_columns; ++e) f(first_row + e * row_step, first_column + e * column_step);
}

/// Writes the elements (r, q), r < rows and r >= q + above, of a block in local memory (columns `pitch`
/// apart) to `to`.
template <class SubGroup, class E>
BATCHLAS_DEVICE_FN void store_block(const SubGroup& sg, const LowerView<E>& to, const E* from, int pitch,
                                    int rows, int above) {
  // All loads first: no compiler moves them across stores that might hit the same memory.
  E elements[block_columns];
  int i = 0;
  for_block(sg, to.upper, [&](int r, int q) { elements[i++] = from[q * pitch + r]; });
  i = 0;
  // Steps from address to address: computed one by one, they took 20 instructions an element.
  E* at = nullptr;
  const std::int64_t step = to.upper ? to.ld * (sg.size() / block_columns) : to.ld;
  for_block(sg, to.upper, [&](int r, int q) {
    if (i == 0) at = to.at(r, q);
    if (r < rows && r >= q + above) *at = elements[i];
    at += step;
    ++i;
  });
}

}  // namespace batchlas::inline v0::tile
