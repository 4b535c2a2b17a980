// The scalars of the library. The list is closed here and nowhere else.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace batchlas::inline v0 {

template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

/// The four scalars as a run-time value; spelled float, double, cfloat, cdouble in tables and on the command
/// line.
enum class DType : std::uint8_t { Float, Double, CFloat, CDouble };

/// Applies macro X to every scalar type: the one list that explicit instantiations are made from.
#define BATCHLAS_FOR_EACH_SCALAR(X) X(float) X(double) X(std::complex<float>) X(std::complex<double>)

namespace detail {
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
}  // namespace detail

/// The real type of the same precision: Real<std::complex<float>> is float.
template <class T>
using Real = typename detail::RealOf<std::remove_const_t<T>>::type;

template <class T>
inline constexpr bool is_complex = !std::same_as<std::remove_const_t<T>, Real<T>>;

template <Scalar T>
constexpr DType dtype_of() {
  if constexpr (std::same_as<T, float>) return DType::Float;
  if constexpr (std::same_as<T, double>) return DType::Double;
  if constexpr (std::same_as<T, std::complex<float>>) return DType::CFloat;
  return DType::CDouble;
}

constexpr std::string_view name(DType dtype) {
  constexpr std::string_view names[] = {"float", "double", "cfloat", "cdouble"};
  return names[static_cast<int>(dtype)];
}

/// Bytes of one element.
constexpr std::int64_t size_of(DType dtype) {
  constexpr std::int64_t bytes[] = {4, 8, 8, 16};
  return bytes[static_cast<int>(dtype)];
}

/// Calls f with a value-initialised scalar of the named type: the bridge from run-time to compile-time types.
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float:
      return f(float{});
    case DType::Double:
      return f(double{});
    case DType::CFloat:
      return f(std::complex<float>{});
    default:
      return f(std::complex<double>{});
  }
}

}  // namespace batchlas::inline v0
