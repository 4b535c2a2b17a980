// Cutting up text: views into the argument, no locale, no allocation unless the result is a string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batchlas::inline v0::base {

/// Without leading and trailing blanks (space, tab, carriage return, newline).
std::string_view trim(std::string_view text);
/// ASCII lower and upper case.
std::string lower(std::string_view text);
std::string upper(std::string_view text);
/// Every part between separators, empty ones included: "a::b" has three.
std::vector<std::string_view> split(std::string_view text, char separator);
/// The words between blanks; no empty ones.
std::vector<std::string_view> words(std::string_view text);
/// Cuts the part before the first separator off the front of `text`, with the separator.
std::string_view cut(std::string_view& text, char separator);
/// The next word of `text`, cut off its front; empty at the end.
std::string_view cut_word(std::string_view& text);

/// The whole text as a number, or nothing. Integers have one spelling: no plus sign, no leading zeros, no
/// blanks.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<double> parse_double(std::string_view text);

/// The parts with `separator` between them.
template <class Range>
std::string join(const Range& parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

}  // namespace batchlas::inline v0::base
