// What passes between the call and the SIMD kernels of one scalar.
#pragma once

#include <cstdint>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"

namespace batchlas::inline v0::potrf_family {

template <class T>
struct PotrfCall {
  MatrixView<T> A;
  Uplo uplo;
  std::int32_t* info;  ///< may be null
  bool prefetch;       ///< the batch comes from memory rather than cache
};

/// Factors items [begin, end); begin is a multiple of the pack's width.
template <class T>
using PotrfItems = void (*)(const PotrfCall<T>& call, std::int64_t begin, std::int64_t end);

/// The kernel for the chosen SIMD target.
template <class T>
PotrfItems<T> potrf_items();

}  // namespace batchlas::inline v0::potrf_family
