// One call to measure, and the lists of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/introspect.hh"
#include "batchlas/scalar.hh"

namespace batchlas::bench {

/// An op's call: every key of its tables, and the padding of its leading dimensions, which is no key.
struct Cell {
  DType dtype = DType::Float;
  CallFacts keys;        ///< {{"uplo", "L"}, {"n", "64"}, {"batch", "8192"}}
  std::int64_t pad = 0;  ///< ld = rows + pad

  /// Throws std::invalid_argument where `key` is missing or no number.
  std::int64_t number(std::string_view key) const;
  /// Throws std::invalid_argument where `key` is missing.
  const std::string& word(std::string_view key) const;
  /// "dtype=float uplo=L n=64 batch=8192 ld=n+3".
  std::string text() const;
};

/// What the command line asks for: per key the values to go through.
struct Grid {
  std::vector<DType> dtypes;
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;  ///< in table order
  std::vector<std::int64_t> pads;
};

/// "4,8,1..16" as numbers in the order given; 1..64:8 steps by 8. Throws std::invalid_argument.
std::vector<std::int64_t> parse_numbers(std::string_view text);
/// "a,b" as words.
std::vector<std::string> parse_words(std::string_view text);
/// Throws std::invalid_argument listing the scalars.
DType parse_dtype(std::string_view text);

/// The batch that a word names for items of `item_bytes` on a device: saturated (4 items a multiprocessor, at
/// least 256 MiB), cache (1 MiB), memory (1 GiB), or a number.
std::int64_t batch_of(std::string_view word, std::int64_t item_bytes, const DeviceFacts& device);

/// The orders of the standard cells.
const std::vector<std::int64_t>& standard_orders();

}  // namespace batchlas::bench
