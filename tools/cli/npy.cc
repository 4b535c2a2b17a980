// NumPy's .npy files. The format is numpy.lib.format: magic, version, header length, a Python dictionary,
// elements.
#include "npy.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "error.hh"

namespace batchlas::cli {
namespace {

static_assert(std::endian::native == std::endian::little,
              ".npy elements are read and written as they lie in memory");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::int64_t longest_header = 1 << 20;

/// Reads the Python literal of a header: a dictionary of strings, True, False and tuples of integers.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !std::exchange(has_descr, true)) {
        if (peek() != '\'' && peek() != '"')
          throw UsageError(
              fmt::format("{}: has a structured element type; expected one of {}", path_, supported));
        header.descr = string();
      } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
        header.fortran_order = boolean();
      } else if (key == "shape" && !std::exchange(has_shape, true)) {
        header.shape = tuple();
      } else {
        fail(fmt::format("key '{}' once more or unknown", key));
      }
      if (!accept(',') && peek() != '}') fail("no comma between entries");
    }
    if (!has_descr || !has_order || !has_shape) fail("'descr', 'fortran_order' or 'shape' missing");
    if (peek() != '\0') fail("text after the dictionary");
    return header;
  }

  static constexpr std::string_view supported = "'<f4', '<f8', '<c8', '<c16'";

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}: is not a valid .npy file: {} in its header", path_, what));
  }
  char peek() {
    while (!rest_.empty() && std::strchr(" \t\r\n", rest_.front())) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("no '{}' where expected", c));
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("no string where expected");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a string without end");
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }
  bool boolean() {
    peek();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail("'fortran_order' neither True nor False");
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      peek();
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc{} || value < 0) fail("no extent where expected in 'shape'");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      values.push_back(value);
      if (!accept(',') && peek() != ')') fail("no comma in 'shape'");
    }
    return values;
  }

  std::string_view rest_;
  const std::string& path_;
};

DType dtype_of_descr(const std::string& descr, const std::string& path) {
  for (const DType dtype : {DType::Float, DType::Double, DType::CFloat, DType::CDouble})
    if (descr == npy_descr(dtype)) return dtype;
  const bool swapped = descr.starts_with('>') && descr.size() > 1 &&
                       HeaderParser::supported.find("<" + descr.substr(1) + "'") != std::string_view::npos;
  throw UsageError(
      fmt::format("{}: element type is {}'{}'; expected one of {} (little-endian float32, float64, "
                  "complex64, complex128)",
                  path, swapped ? "big-endian " : "", descr, HeaderParser::supported));
}

/// Bytes of the elements, or nothing where they exceed 2^63.
std::optional<std::int64_t> checked_bytes(const std::vector<std::int64_t>& shape,
                                          std::int64_t element_bytes) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t bytes = element_bytes;
  for (const std::int64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return {};
  return bytes;
}

/// Copies elements in Fortran order to C order.
template <std::size_t ElementBytes>
void to_c_order(const std::byte* from, std::byte* to, const std::vector<std::int64_t>& shape) {
  const int rank = static_cast<int>(shape.size());
  std::vector<std::int64_t> stride(rank, 1), index(rank, 0);
  for (int d = 1; d < rank; ++d) stride[d] = stride[d - 1] * shape[d - 1];
  std::int64_t count = 1, at = 0;
  for (const std::int64_t extent : shape) count *= extent;
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * ElementBytes, from + at * ElementBytes, ElementBytes);
    for (int d = rank - 1; d >= 0; --d) {
      at += stride[d];
      if (++index[d] < shape[d]) break;
      at -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& path) {
  return HeaderParser(text, path).parse();
}

std::string_view npy_descr(DType dtype) {
  constexpr std::array<std::string_view, 4> names{"<f4", "<f8", "<c8", "<c16"};
  return names[static_cast<std::size_t>(dtype)];
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

NpyInput::NpyInput(const std::string& path) : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  // The destructor does not run when a constructor throws, so the file is closed by a guard until the end.
  struct Guard {
    int file;
    ~Guard() {
      if (file >= 0) ::close(file);
    }
  } guard{file_};
  struct stat status {};
  if (file_ < 0 || ::fstat(file_, &status) != 0)
    throw UsageError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
  if (!S_ISREG(status.st_mode))
    throw UsageError(fmt::format("{}: cannot be read: is not a regular file", path_));

  // Magic and version, then a header length of 2 (version 1) or 4 bytes.
  std::array<unsigned char, 12> prefix{};
  const std::int64_t size = status.st_size;
  if (size < 10)
    throw UsageError(
        fmt::format("{}: is not an .npy file: {} bytes long, shorter than any header", path_, size));
  read_exactly(std::as_writable_bytes(std::span(prefix).first(10)));
  if (std::memcmp(prefix.data(), magic.data(), magic.size()) != 0)
    throw UsageError(fmt::format("{}: is not an .npy file: does not begin with \\x93NUMPY", path_));
  const int version = prefix[6];
  if (version < 1 || version > 3 || prefix[7] != 0)
    throw UsageError(
        fmt::format("{}: has .npy version {}.{}; expected 1.0, 2.0 or 3.0", path_, version, int{prefix[7]}));
  std::int64_t length = prefix[8] | prefix[9] << 8, start = 10;
  if (version > 1) {
    if (size < 12) throw UsageError(fmt::format("{}: is truncated: it ends within its header", path_));
    read_exactly(std::as_writable_bytes(std::span(prefix).subspan(10, 2)));
    length |= std::int64_t{prefix[10]} << 16 | std::int64_t{prefix[11]} << 24;
    start = 12;
  }
  if (length > size - start)
    throw UsageError(fmt::format("{}: is truncated: it ends within its header", path_));
  if (length > longest_header)
    throw UsageError(fmt::format("{}: is not a valid .npy file: header of {} bytes", path_, length));
  std::string text(static_cast<std::size_t>(length), '\0');
  read_exactly(std::as_writable_bytes(std::span(text)));

  header_ = parse_npy_header(text, path_);
  dtype_ = dtype_of_descr(header_.descr, path_);
  const auto bytes = checked_bytes(header_.shape, size_of(dtype_));
  if (!bytes)
    throw UsageError(
        fmt::format("{}: shape {} is too large: its bytes exceed 2^63", path_, shape_text(shape())));
  const std::int64_t present = size - start - length;
  if (present != *bytes)
    throw UsageError(fmt::format("{}: {}: {} of '{}' needs {} bytes of elements, the file holds {}", path_,
                                 present < *bytes ? "is truncated" : "has bytes after its elements",
                                 shape_text(shape()), header_.descr, *bytes, present));
  bytes_ = *bytes;
  guard.file = -1;
}

NpyInput::~NpyInput() {
  ::close(file_);
}

std::string NpyInput::description() const {
  return fmt::format("{} of '{}'", shape_text(shape()), header_.descr);
}

std::int64_t NpyInput::scratch_bytes() const {
  return fortran_order() && shape().size() > 1 ? bytes_ : 0;
}

void NpyInput::read(std::span<std::byte> to) {
  if (scratch_bytes() == 0) return read_exactly(to.first(static_cast<std::size_t>(bytes_)));
  std::vector<std::byte> elements(static_cast<std::size_t>(bytes_));
  read_exactly(elements);
  switch (size_of(dtype_)) {
    case 4:
      return to_c_order<4>(elements.data(), to.data(), shape());
    case 8:
      return to_c_order<8>(elements.data(), to.data(), shape());
    default:
      return to_c_order<16>(elements.data(), to.data(), shape());
  }
}

void NpyInput::read_exactly(std::span<std::byte> to) {
  constexpr std::size_t chunk = std::size_t{1} << 30;
  while (!to.empty()) {
    const ssize_t got = ::read(file_, to.data(), std::min(to.size(), chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
    if (got == 0)
      throw UsageError(fmt::format("{}: is truncated: it became shorter while it was read", path_));
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

void write_npy(OutputFile& file, std::string_view descr, std::span<const std::int64_t> shape,
               std::span<const std::byte> elements) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape_text(shape));
  // The elements start at a multiple of 64 bytes, as the format asks.
  const std::size_t prefix = magic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ').push_back('\n');
  std::string start(magic);
  start += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  start += header;
  file.write(std::as_bytes(std::span(start)));
  file.write(elements);
}

}  // namespace batchlas::cli
