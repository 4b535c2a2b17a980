// An output file that appears whole or not at all.
#include "output_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "error.hh"

namespace batchlas::cli {
namespace {

mode_t mode_for(const std::string& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  std::error_code error;
  target_ = std::filesystem::weakly_canonical(path, error).string();
  if (error) target_ = path;
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode))
      throw UsageError(fmt::format("{}: cannot be written: exists and is not a regular file", path_));
    if (::access(target_.c_str(), W_OK) != 0) fail("cannot be written");
  }
  temporary_ = target_ + ".XXXXXX";
  file_ = ::mkstemp(temporary_.data());
  if (file_ < 0) {
    temporary_.clear();
    fail("cannot be written");
  }
  ::fchmod(file_, mode_for(target_));  // a file system without modes refuses, and keeps its own
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::exchange(other.file_, -1)) {}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  constexpr std::size_t chunk = std::size_t{1} << 30;  // Linux moves at most 2 GiB a call
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), std::min(bytes.size(), chunk));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  if (::fsync(file_) != 0) fail("cannot be written");
  if (::close(std::exchange(file_, -1)) != 0) fail("cannot be written");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
  temporary_.clear();
}

void OutputFile::fail(const char* what) const {
  throw UsageError(fmt::format("{}: {}: {}", path_, what, std::strerror(errno)));
}

}  // namespace batchlas::cli
