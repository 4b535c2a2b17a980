// Highway restricted to the targets of lanes::Target, and the dispatch between them.
#pragma once

// Three targets bound compile time; scalable vectors (SVE, RVV) cannot be members, which these kernels need.
// The macro itself comes from the build (src/lanes/CMakeLists.txt), because <hwy/foreach_target.h> reads it
// before this header.
#ifndef HWY_DISABLED_TARGETS
#error "link batchlas_lanes: it defines HWY_DISABLED_TARGETS"
#endif

#include <hwy/highway.h>

#include "lanes/target.hh"

#if HWY_TARGETS & HWY_AVX3
#define BATCHLAS_LANES_AVX512(f) &N_AVX3::f
#else
#define BATCHLAS_LANES_AVX512(f) &HWY_STATIC_DISPATCH(f)
#endif
#if HWY_TARGETS & HWY_AVX2
#define BATCHLAS_LANES_AVX2(f) &N_AVX2::f
#else
#define BATCHLAS_LANES_AVX2(f) &HWY_STATIC_DISPATCH(f)
#endif

/// Pointer to function f as compiled for the chosen target. Use it in the namespace around f's HWY_NAMESPACE,
/// once all targets have been generated (#if HWY_ONCE).
#define BATCHLAS_LANES_CHOOSE(f)                                                                      \
  (::batchlas::lanes::chosen_target() == ::batchlas::lanes::Target::Avx512 ? BATCHLAS_LANES_AVX512(f) \
   : ::batchlas::lanes::chosen_target() == ::batchlas::lanes::Target::Avx2 ? BATCHLAS_LANES_AVX2(f)   \
                                                                           : &HWY_STATIC_DISPATCH(f))
