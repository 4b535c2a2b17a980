// `batchlas run OP`: what an op's adapter (tools/cli/ops/<op>.cc) declares and uses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/device_array.hh"
#include "batchlas/queue.hh"
#include "npy.hh"
#include "output_file.hh"

namespace batchlas::cli {

/// A file of an op: --a A.npy.
struct FileOption {
  std::string name, help;
  bool required = true;
};

/// A word of an op: --uplo L. The first value is the default.
struct WordOption {
  std::string name, help;
  std::vector<std::string> values;
};

/// What the user gave: --name value, for files and words alike.
using RunValues = std::map<std::string, std::string, std::less<>>;

/// One run, as the adapter sees it.
class RunContext {
 public:
  RunContext(std::string_view op, const Device& device, const RunValues& values);

  Queue& queue() { return queue_; }
  bool given(std::string_view name) const { return values_.contains(name); }
  std::unique_ptr<NpyInput> input(std::string_view name) const;
  OutputFile output(std::string_view name);
  const std::string& word(std::string_view name) const;

  /// Throws UsageError where `host` and `device` bytes exceed what is free. On the CPU both come from one
  /// memory.
  void require_memory(const NpyInput& input, std::int64_t host, std::int64_t device) const;
  bool device_is_host() const { return queue_.device().kind() != DeviceKind::Cuda; }

 private:
  std::string op_;
  const RunValues& values_;
  Queue queue_;
  std::map<std::string, std::string> outputs_;  ///< file -> option, of the outputs opened so far
};

/// How one op reads its operands from files, and writes its results.
struct OpAdapter {
  std::string name, help;
  std::vector<FileOption> files;
  std::vector<WordOption> words;
  int (*run)(RunContext&);  ///< returns an ExitCode
};

/// The adapters, one an op of src/ops/ops.def.
std::span<const OpAdapter* const> adapters();

/// A batch of square items; a file of shape (n, n) is a batch of one.
struct SquareBatch {
  std::int64_t n = 0, batch = 0;
};
SquareBatch square_batch(const NpyInput& input);

/// The items whose info is not 0.
std::vector<std::int64_t> failed_items(std::span<const std::int32_t> info);
/// "3 of 4096 items failed ...: item 5 (info 3), ..." with the first ten; empty where none failed.
std::string failure_text(std::span<const std::int32_t> info, std::string_view meaning);

/// `batchlas run`: makes the device, pins the kernel where asked, and runs the adapter.
int run(const OpAdapter& adapter, const RunValues& values, const std::string& device, const std::string& pin);

}  // namespace batchlas::cli
