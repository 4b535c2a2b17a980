// Which SIMD instruction set the CPU kernels run on.
#pragma once

namespace batchlas::inline v0::lanes {

/// Instruction sets that kernels are compiled for, narrowest first. Baseline is what the compiler may assume
/// anyway.
enum class Target { Baseline, Avx2, Avx512 };

/// The widest target that this CPU has, unless limit_target() asked for less.
Target chosen_target();

/// Chooses no target above `most` from now on: for tests and measurements, not for use beside running calls.
void limit_target(Target most);

/// Bytes of one vector of the chosen target; a pack holds vector_bytes() / sizeof(real) items.
int vector_bytes();

const char* name(Target target);

}  // namespace batchlas::inline v0::lanes
