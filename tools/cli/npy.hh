// NumPy's .npy files, versions 1 to 3, of the four scalars. Strict: what is not understood is an error, never
// a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/scalar.hh"
#include "output_file.hh"

namespace batchlas::cli {

struct NpyHeader {
  std::string descr;  ///< "<f8"
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Parses the dictionary of a header; throws UsageError naming `path`.
NpyHeader parse_npy_header(std::string_view text, const std::string& path);

/// An .npy file open for reading. The constructor checks everything but the elements: magic, version, header,
/// element type, and that the file's size is what the shape says. Throws UsageError.
class NpyInput {
 public:
  explicit NpyInput(const std::string& path);
  NpyInput(const NpyInput&) = delete;
  ~NpyInput();

  const std::string& path() const { return path_; }
  DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return header_.shape; }
  bool fortran_order() const { return header_.fortran_order; }
  /// "(3, 4, 4) '<f8'", for messages.
  std::string description() const;
  std::int64_t bytes() const { return bytes_; }
  /// Bytes of memory that read() takes beside its destination.
  std::int64_t scratch_bytes() const;

  /// Reads all elements, in C order; `to` holds bytes().
  void read(std::span<std::byte> to);

 private:
  void read_exactly(std::span<std::byte> to);

  std::string path_;
  int file_ = -1;
  NpyHeader header_;
  DType dtype_ = DType::Float;
  std::int64_t bytes_ = 0;
};

/// "(3, 4, 4)", as Python prints a tuple.
std::string shape_text(std::span<const std::int64_t> shape);

/// The descr of a scalar: "<f4", "<f8", "<c8", "<c16".
std::string_view npy_descr(DType dtype);

/// Writes a version 1 header and the elements in C order, without committing.
void write_npy(OutputFile& file, std::string_view descr, std::span<const std::int64_t> shape,
               std::span<const std::byte> elements);

}  // namespace batchlas::cli
