// The keys of an op: what of a call the tables know, and how far apart two calls are.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace batchlas::inline v0::select {

inline constexpr std::size_t max_keys = 8;

/// The key values of one call, in the order of the op's key list. Exact keys hold the enum's value, which is
/// the index of its symbol.
struct Key {
  std::array<std::int64_t, max_keys> values{};
  std::size_t count = 0;

  constexpr Key() = default;
  template <class... V>
  requires(sizeof...(V) >= 1 && sizeof...(V) <= max_keys) constexpr Key(V... v)
      : values{static_cast<std::int64_t>(v)...}, count(sizeof...(V)) {}

  constexpr std::int64_t operator[](std::size_t i) const { return values[i]; }
  auto operator<=>(const Key&) const = default;
};

/// One key: "uplo:exact" with symbols, or "n:log:3".
struct KeyField {
  std::string name;
  bool exact = false;
  double weight = 1;                 ///< of a log key: how much a factor of two in it counts
  std::vector<std::string> symbols;  ///< of an exact key; empty: it is spelled as an integer
};

/// The symbols of an exact key, in the order of the enum's values: {"uplo", "L U"}.
struct Symbols {
  std::string_view key;
  std::string_view values;
};

/// The key list of an op, in table order without the leading dtype:exact.
struct KeySpec {
  std::vector<KeyField> fields;

  std::size_t size() const { return fields.size(); }
  /// As in a table header: "uplo:exact n:log:3 batch:log".
  std::string to_text() const;
  /// "n=64", "uplo=L"; an exact value without a symbol prints as its number.
  std::string value_text(std::size_t field, std::int64_t value) const;
  /// Every key: "uplo=L n=64 batch=8192".
  std::string to_text(const Key& key) const;
  /// As to_text, without exact keys at their default 0, as trace lines show a call.
  std::string short_text(const Key& key) const;
};

/// Parses "uplo:exact n:log:3 batch:log"; throws std::invalid_argument.
KeySpec parse_key_spec(std::string_view text, std::span<const Symbols> symbols = {});

}  // namespace batchlas::inline v0::select
