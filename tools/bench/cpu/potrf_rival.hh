// LAPACK's Cholesky factorization as an arm: a loop over the batch.
#pragma once

#include <string>
#include <vector>

#include "arm.hh"
#include "ops/potrf_operands.hh"

namespace batchlas::bench {

/// The OpenMP loop, and for a batch below the threads a serial loop that leaves the threads to the library;
/// none in a build without LAPACKE.
std::vector<Arm> lapack_potrf_rivals(const PotrfOperands& operands);

/// The kernels that OpenBLAS picked for this CPU, "SkylakeX"; empty where the LAPACK is another.
std::string lapack_core_name();

}  // namespace batchlas::bench
