// cuSOLVER's own Cholesky factorizations as arms: pointers prebuilt, nothing repaired or kept.
#pragma once

#include <vector>

#include "arm.hh"
#include "ops/potrf_operands.hh"

namespace batchlas::bench {

/// potrfBatched, and at batch 1 potrf beside it; none in a build without CUDA.
std::vector<Arm> cuda_potrf_rivals(Queue& queue, const PotrfOperands& operands);

}  // namespace batchlas::bench
