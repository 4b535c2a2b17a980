// Bit-for-bit comparison of two batches.
#include "batchlas/verify/compare.hh"

#include <bit>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace batchlas::verify {

template <Scalar T>
std::string hex(T value) {
  using R = Real<T>;
  char text[20];
  if constexpr (is_complex<T>)
    return hex<R>(value.real()) + "," + hex<R>(value.imag());
  else if constexpr (sizeof(R) == 4)
    std::snprintf(text, sizeof text, "%08x", std::bit_cast<std::uint32_t>(value));
  else
    std::snprintf(text, sizeof text, "%016llx", std::bit_cast<unsigned long long>(value));
  return text;
}

std::string describe(const BitDifference& d) {
  return "item " + std::to_string(d.item) + " (" + std::to_string(d.i) + ", " + std::to_string(d.j) +
         "): " + d.left + " != " + d.right;
}

namespace detail {

template <Scalar T>
std::optional<BitDifference> first_bit_difference(const MatrixView<const T>& left,
                                                  const MatrixView<const T>& right, Part part) {
  if (left.batch != right.batch) throw std::invalid_argument("first_bit_difference: batches differ");
  for (std::int64_t b = 0; b < left.batch; ++b) {
    const Item<const T> l = item_of(left, b);
    const Item<const T> r = item_of(right, b);
    if (l.rows != r.rows || l.cols != r.cols)
      throw std::invalid_argument("first_bit_difference: extents of item " + std::to_string(b) + " differ");
    for (std::int64_t j = 0; j < l.cols; ++j) {
      const auto [first, last] = rows_of_column(part, j, l.rows);
      if (first == last || std::memcmp(&l(first, j), &r(first, j), sizeof(T) * (last - first)) == 0) continue;
      std::int64_t i = first;
      while (std::memcmp(&l(i, j), &r(i, j), sizeof(T)) == 0) ++i;
      return BitDifference{b, i, j, hex<T>(l(i, j)), hex<T>(r(i, j))};
    }
  }
  return {};
}

}  // namespace detail

#define INSTANTIATE(T)                                                                              \
  template std::string hex<T>(T);                                                                   \
  template std::optional<BitDifference> detail::first_bit_difference<T>(const MatrixView<const T>&, \
                                                                        const MatrixView<const T>&, Part);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify
