// The operands of a potrf cell as its rivals see them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batchlas/enums.hh"
#include "batchlas/scalar.hh"

namespace batchlas::bench {

struct PotrfOperands {
  DType dtype = DType::Float;
  Uplo uplo = Uplo::Lower;
  std::int64_t n = 0, ld = 0, batch = 0;
  std::byte* memory = nullptr;  ///< set 0, item 0
  std::int64_t set_stride = 0;  ///< bytes
  int sets = 1;
  std::int32_t* info = nullptr;  ///< batch values
  int threads = 1;

  std::int64_t item_stride() const { return ld * n * size_of(dtype); }  ///< bytes
  std::byte* item(int set, std::int64_t b) const { return memory + set * set_stride + b * item_stride(); }
};

}  // namespace batchlas::bench
