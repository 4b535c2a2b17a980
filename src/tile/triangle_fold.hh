// Numbers the tiles of a lower triangle without a square root.
#pragma once

#include <cstdint>

#include "device/function.hh"

namespace batchlas::inline v0::tile {

/// The T (T + 1) / 2 tiles of the lower triangle of T x T tiles as a rectangle: column q of the triangle, T -
/// q high, stands on top of column T - 1 - q (T even) or T - q (T odd), so every column of the rectangle is T
/// | 1 high. Successive numbers lie below each other but for one jump a column.
struct TriangleFold {
  int tiles;

  BATCHLAS_HOST_DEVICE_FN constexpr explicit TriangleFold(int tiles_a_side) : tiles(tiles_a_side) {}
  BATCHLAS_HOST_DEVICE_FN constexpr std::int64_t count() const {
    return std::int64_t{tiles} * (tiles + 1) / 2;
  }
  BATCHLAS_HOST_DEVICE_FN constexpr int height() const { return tiles | 1; }
  BATCHLAS_HOST_DEVICE_FN constexpr int width() const { return (tiles + 1) / 2; }

  struct Tile {
    int row, col;
  };
  /// The tile at row r and column q of the rectangle.
  BATCHLAS_HOST_DEVICE_FN constexpr Tile at(int r, int q) const {
    if (r < tiles - q) return {q + r, q};
    const int col = 2 * tiles - height() - q;
    return {col + r - (tiles - q), col};
  }
};

/// Walks over the tiles first, first + step, first + 2 step, ... with two divisions in all.
class TriangleWalk {
 public:
  BATCHLAS_HOST_DEVICE_FN TriangleWalk(const TriangleFold& fold, int first, int step)
      : fold_(fold),
        r_(first % fold.height()),
        q_(first / fold.height()),
        step_r_(step % fold.height()),
        step_q_(step / fold.height()) {}

  BATCHLAS_HOST_DEVICE_FN bool inside() const { return q_ < fold_.width(); }
  BATCHLAS_HOST_DEVICE_FN TriangleFold::Tile tile() const { return fold_.at(r_, q_); }
  BATCHLAS_HOST_DEVICE_FN void next() {
    r_ += step_r_;
    q_ += step_q_;
    if (r_ >= fold_.height()) {
      r_ -= fold_.height();
      ++q_;
    }
  }

 private:
  TriangleFold fold_;
  int r_, q_, step_r_, step_q_;
};

}  // namespace batchlas::inline v0::tile
