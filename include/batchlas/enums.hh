// The options of BLAS and LAPACK as types. Every enum's zero value is the library's default.
#pragma once

#include <cstdint>

namespace batchlas::inline v0 {

enum class Uplo : std::uint8_t { Lower, Upper };
enum class Transpose : std::uint8_t { NoTrans, Trans, ConjTrans };
enum class Side : std::uint8_t { Left, Right };
enum class Diag : std::uint8_t { NonUnit, Unit };

constexpr char letter(Uplo uplo) {
  return uplo == Uplo::Lower ? 'L' : 'U';
}

}  // namespace batchlas::inline v0
