// An output file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace batchlas::cli {

/// Writes to a temporary file beside `path` and renames it in commit(); an object that is destroyed
/// uncommitted leaves no trace. The constructor throws UsageError where the path cannot be written, so open
/// outputs before computing.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  void write(std::span<const std::byte> bytes);
  void commit();
  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;       ///< as the user wrote it, for messages
  std::string target_;     ///< absolute, with symbolic links followed
  std::string temporary_;  ///< empty once committed
  int file_ = -1;
};

}  // namespace batchlas::cli
