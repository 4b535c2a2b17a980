// Bit comparisons of factors that the suites of an op and of its kernels share.
#pragma once

#include <cstdint>
#include <cstring>

#include "batchlas/enums.hh"
#include "batchlas/verify/host_batch.hh"

namespace batchlas::factor_bits {

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// The first `columns` columns of factor b (rows for Upper) have the same bits.
template <class T>
bool same_factor(verify::HostBatch<T>& first, verify::HostBatch<T>& second, std::int64_t b, Uplo uplo,
                 std::int64_t columns) {
  const auto A = verify::item_of(first.view(), b), B = verify::item_of(second.view(), b);
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = c; r < A.rows; ++r)
      if (uplo == Uplo::Lower ? !same_bits(A(r, c), B(r, c)) : !same_bits(A(c, r), B(c, r))) return false;
  return true;
}

}  // namespace batchlas::factor_bits
