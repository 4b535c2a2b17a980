// Poison around the referenced parts of a batch.
#include "batchlas/verify/poison.hh"

#include <bit>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "batchlas/verify/compare.hh"

namespace batchlas::verify {

namespace {

/// One byte an element of `storage`: 1 where some item references it.
template <class T>
std::vector<unsigned char> referenced(std::span<const T> storage, const MatrixView<T>& view, Part part) {
  std::vector<unsigned char> mask(storage.size());
  const std::less<const T*> before;
  const T* const begin = storage.data();
  const T* const end = begin + storage.size();
  for (std::int64_t b = 0; b < view.batch; ++b) {
    const Item<T> item = item_of(view, b);
    for (std::int64_t j = 0; j < item.cols; ++j) {
      const auto [first, last] = rows_of_column(part, j, item.rows);
      if (first == last) continue;
      const T* const from = &item(first, j);
      if (before(from, begin) || before(end, from + (last - first)))
        throw std::invalid_argument("poison: item " + std::to_string(b) + " is not inside the storage");
      std::memset(&mask[from - begin], 1, last - first);
    }
  }
  return mask;
}

/// The last item that starts at or before the element.
template <class T>
void locate(PoisonDamage& damage, const T* element, const MatrixView<T>& view) {
  const T* start = nullptr;
  for (std::int64_t b = 0; b < view.batch; ++b) {
    const T* const data = item_of(view, b).data;
    if (data <= element && (!start || data > start)) {
      start = data;
      damage.item = b;
    }
  }
  const std::int64_t distance = start ? element - start : 0;
  damage.i = distance % view.leading_dimension();
  damage.j = distance / view.leading_dimension();
}

}  // namespace

template <Scalar T>
T bit_pattern(std::uint64_t bits) {
  using R = Real<T>;
  using Bits = std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint64_t>;
  const R word = std::bit_cast<R>(static_cast<Bits>(bits));
  if constexpr (is_complex<T>)
    return T(word, word);
  else
    return word;
}

template <Scalar T>
T nan_poison() {
  return bit_pattern<T>(sizeof(Real<T>) == 4 ? 0x7fdeadafu : 0x7ffbadc0ffee0dadu);
}

std::string describe(const PoisonDamage& d) {
  return "element " + std::to_string(d.offset) + ", item " + std::to_string(d.item) + " (" +
         std::to_string(d.i) + ", " + std::to_string(d.j) + "): found " + d.found + ", expected " +
         d.expected;
}

template <Scalar T>
void poison_outside(std::span<T> storage, const MatrixView<T>& view, Part part, T pattern) {
  const auto mask = referenced<T>(storage, view, part);
  for (std::size_t at = 0; at < mask.size(); ++at)
    if (!mask[at]) std::memcpy(&storage[at], &pattern, sizeof(T));
}

template <Scalar T>
std::optional<PoisonDamage> find_poison_damage(std::span<const T> storage, const MatrixView<T>& view,
                                               Part part, T pattern) {
  const auto mask = referenced<T>(storage, view, part);
  for (std::size_t at = 0; at < mask.size(); ++at) {
    if (mask[at] || std::memcmp(&storage[at], &pattern, sizeof(T)) == 0) continue;
    PoisonDamage damage{
        .offset = static_cast<std::int64_t>(at), .found = hex<T>(storage[at]), .expected = hex<T>(pattern)};
    locate(damage, &storage[at], view);
    return damage;
  }
  return {};
}

template <Scalar T>
void poison_diagonal_imag(const MatrixView<T>& view, Real<T> value) {
  if constexpr (is_complex<T>) {
    for (std::int64_t b = 0; b < view.batch; ++b) {
      const Item<T> item = square_item_of(view, b);
      for (std::int64_t i = 0; i < item.rows; ++i) item(i, i).imag(value);
    }
  }
}

#define INSTANTIATE(T)                                                                                       \
  template T bit_pattern<T>(std::uint64_t);                                                                  \
  template T nan_poison<T>();                                                                                \
  template void poison_outside<T>(std::span<T>, const MatrixView<T>&, Part, T);                              \
  template std::optional<PoisonDamage> find_poison_damage<T>(std::span<const T>, const MatrixView<T>&, Part, \
                                                             T);                                             \
  template void poison_diagonal_imag<T>(const MatrixView<T>&, Real<T>);
BATCHLAS_FOR_EACH_SCALAR(INSTANTIATE)

}  // namespace batchlas::verify
