// Predicated access to global memory. Kernels hold operands behind structs of run-time pointers, where the
// compiler can prove neither the address space nor that a branch is cheaper as a predicate: generic loads in
// branches cost the register kernels a third of their instructions.
#pragma once

#include <cstdint>

#include "device/function.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::device {

#if BATCHLAS_ON_CUDA
namespace detail {
template <int Offset>
BATCHLAS_DEVICE_FN float load_if_ge(int left, int right, const float* p, float otherwise) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%2,%3; @q ld.global.f32 %0,[%1+%4];}"
               : "+f"(otherwise)
               : "l"(p), "r"(left), "r"(right), "n"(Offset));
  return otherwise;
}
template <int Offset>
BATCHLAS_DEVICE_FN double load_if_ge(int left, int right, const double* p, double otherwise) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%2,%3; @q ld.global.f64 %0,[%1+%4];}"
               : "+d"(otherwise)
               : "l"(p), "r"(left), "r"(right), "n"(Offset));
  return otherwise;
}
template <int Offset>
BATCHLAS_DEVICE_FN Complex<float> load_if_ge(int left, int right, const Complex<float>* p,
                                             Complex<float> otherwise) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%3,%4; @q ld.global.v2.f32 {%0,%1},[%2+%5];}"
               : "+f"(otherwise.re), "+f"(otherwise.im)
               : "l"(p), "r"(left), "r"(right), "n"(Offset));
  return otherwise;
}
template <int Offset>
BATCHLAS_DEVICE_FN Complex<double> load_if_ge(int left, int right, const Complex<double>* p,
                                              Complex<double> otherwise) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%3,%4; @q ld.global.v2.f64 {%0,%1},[%2+%5];}"
               : "+d"(otherwise.re), "+d"(otherwise.im)
               : "l"(p), "r"(left), "r"(right), "n"(Offset));
  return otherwise;
}
template <int Offset>
BATCHLAS_DEVICE_FN void store_if_ge(int left, int right, float* p, float value) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%2,%3; @q st.global.f32 [%0+%4],%1;}" ::"l"(p), "f"(value),
               "r"(left), "r"(right), "n"(Offset)
               : "memory");
}
template <int Offset>
BATCHLAS_DEVICE_FN void store_if_ge(int left, int right, double* p, double value) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%2,%3; @q st.global.f64 [%0+%4],%1;}" ::"l"(p), "d"(value),
               "r"(left), "r"(right), "n"(Offset)
               : "memory");
}
template <int Offset>
BATCHLAS_DEVICE_FN void store_if_ge(int left, int right, Complex<float>* p, Complex<float> value) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%3,%4; @q st.global.v2.f32 [%0+%5],{%1,%2};}" ::"l"(p),
               "f"(value.re), "f"(value.im), "r"(left), "r"(right), "n"(Offset)
               : "memory");
}
template <int Offset>
BATCHLAS_DEVICE_FN void store_if_ge(int left, int right, Complex<double>* p, Complex<double> value) {
  asm volatile("{.reg .pred q; setp.ge.s32 q,%3,%4; @q st.global.v2.f64 [%0+%5],{%1,%2};}" ::"l"(p),
               "d"(value.re), "d"(value.im), "r"(left), "r"(right), "n"(Offset)
               : "memory");
}
}  // namespace detail
#endif

/// left >= right ? p[Index] : otherwise, without touching memory where that is false. p is in global memory.
/// The comparison is part of the access: as a bool it would be computed ahead for all accesses and held in
/// registers.
template <int Index = 0, class E>
BATCHLAS_DEVICE_FN E load_if_ge(int left, int right, const E* p, E otherwise) {
#if BATCHLAS_ON_CUDA
  return detail::load_if_ge<Index* static_cast<int>(sizeof(E))>(left, right, p, otherwise);
#else
  return left >= right ? p[Index] : otherwise;
#endif
}

/// if (left >= right) p[Index] = value. p is in global memory.
template <int Index = 0, class E>
BATCHLAS_DEVICE_FN void store_if_ge(int left, int right, E* p, E value) {
#if BATCHLAS_ON_CUDA
  detail::store_if_ge<Index* static_cast<int>(sizeof(E))>(left, right, p, value);
#else
  if (left >= right) p[Index] = value;
#endif
}

}  // namespace batchlas::inline v0::device
