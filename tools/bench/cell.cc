#include "cell.hh"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace batchlas::bench {
namespace {

std::int64_t to_number(std::string_view text, std::string_view what) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw std::invalid_argument(std::string(what) + ": \"" + std::string(text) +
                                "\", expected a number from 0");
  return value;
}

}  // namespace

const std::string& Cell::word(std::string_view key) const {
  const auto found = keys.find(key);
  if (found == keys.end()) throw std::invalid_argument("no value for key " + std::string(key));
  return found->second;
}

std::int64_t Cell::number(std::string_view key) const {
  return to_number(word(key), key);
}

std::string Cell::text() const {
  std::string text = "dtype=" + std::string(name(dtype));
  for (const auto& [key, value] : keys) text += ' ' + key + '=' + value;
  if (pad > 0) text += " ld=n+" + std::to_string(pad);
  return text;
}

std::vector<std::string> parse_words(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const auto comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word.empty()) throw std::invalid_argument("an empty entry in a list");
    words.emplace_back(word);
    if (comma == text.npos) return words;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::int64_t> parse_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : parse_words(text)) {
    std::string_view range = word;
    const auto dots = range.find("..");
    if (dots == range.npos) {
      numbers.push_back(to_number(range, "list"));
      continue;
    }
    const std::int64_t first = to_number(range.substr(0, dots), "range");
    range.remove_prefix(dots + 2);
    const auto colon = range.find(':');
    const std::int64_t last = to_number(range.substr(0, colon), "range");
    const std::int64_t step = colon == range.npos ? 1 : to_number(range.substr(colon + 1), "step");
    if (step < 1 || last < first)
      throw std::invalid_argument("range \"" + word + "\", expected first..last or first..last:step");
    for (std::int64_t value = first; value <= last; value += step) numbers.push_back(value);
  }
  return numbers;
}

DType parse_dtype(std::string_view text) {
  for (const DType dtype : {DType::Float, DType::Double, DType::CFloat, DType::CDouble})
    if (text == name(dtype)) return dtype;
  throw std::invalid_argument("dtype \"" + std::string(text) +
                              "\", expected float, double, cfloat or cdouble");
}

std::int64_t batch_of(std::string_view word, std::int64_t item_bytes, const DeviceFacts& device) {
  constexpr std::int64_t mebi = std::int64_t{1} << 20;
  if (word == "saturated") return std::max<std::int64_t>(4 * device.multiprocessors, 256 * mebi / item_bytes);
  if (word == "cache") return std::max<std::int64_t>(1, mebi / item_bytes);
  if (word == "memory") return std::max<std::int64_t>(1, 1024 * mebi / item_bytes);
  return to_number(word, "batch");
}

const std::vector<std::int64_t>& standard_orders() {
  static const std::vector<std::int64_t> orders{1,  2,  3,  4,   5,   6,   7,   8,   9,   10, 11, 12,
                                                13, 14, 15, 16,  20,  24,  28,  31,  32,  33, 48, 63,
                                                64, 65, 96, 128, 129, 192, 256, 320, 384, 512};
  return orders;
}

}  // namespace batchlas::bench
