// What the library knows of itself: its ops, their keys and candidates, and why a call runs the kernel that
// it runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/device.hh"
#include "batchlas/export.hh"
#include "batchlas/scalar.hh"

namespace batchlas::inline v0 {

/// Library version and a hash of the built-in tables: "0.1.0 (tables 5f3759df)".
BATCHLAS_API std::string version();

/// The ops that select their kernel from tables, in the order of the library's list.
BATCHLAS_API std::vector<std::string> ops();

/// One fact of a call that the tables of an op know.
struct KeyInfo {
  std::string name;    ///< "uplo", "n", "batch"
  bool exact = false;  ///< must match a row; otherwise the nearest row counts, by |log2(row / key)|
  double weight = 1;   ///< how much a factor of two counts, where not exact
  std::vector<std::string> symbols;  ///< spellings of an exact key, its default first; empty: an integer
};

/// The keys of `op` in table order, without the leading dtype. Throws std::invalid_argument for an unknown
/// op, as all functions of this header do.
BATCHLAS_API std::vector<KeyInfo> keys(std::string_view op);

/// Every kernel that `op` may choose from, as spelled in tables and pins, in tie order.
BATCHLAS_API std::vector<std::string> candidates(std::string_view op, DType dtype);

struct ExplainedCandidate {
  std::string spelling;
  int rank = 0;              ///< 1 is tried first
  std::string refusal;       ///< why it cannot run; empty where it can
  std::optional<double> ms;  ///< measured time of the row, whole batch; none where the row is untimed
  std::string from;          ///< tag of the table whose row ranks it ("sm_90"), or "last resort"
  bool chosen = false;
};

/// Why a call runs what it runs. Without a pin the first candidate that can run is the choice.
struct Explanation {
  std::string op, dtype;
  std::string key;     ///< "uplo=L n=64 batch=8192"
  std::string device;  ///< key of the device: "sm_90", "cpu"
  std::string pin;     ///< "auto", or "vendor (BATCHLAS_POTRF_ROUTE)"
  std::string choice;  ///< empty: the call would throw, and `error` says why
  std::string error;
  std::string tag;       ///< the table that decided ("sm_90", "override sm_90"), "pin" or "last resort"
  std::string row;       ///< key of the row that decided; empty without one
  std::string row_from;  ///< file and line of that row
  double distance = 0;   ///< of that row from the key, in weighted factors of two
  std::vector<ExplainedCandidate> candidates;  ///< in the order in which they are tried
};

/// A readable page.
BATCHLAS_API std::string to_text(const Explanation& explanation);

/// The facts of a call as words: {{"dtype", "float"}, {"uplo", "L"}, {"n", "64"}, {"batch", "8192"}}.
using CallFacts = std::map<std::string, std::string, std::less<>>;

/// Explains the call of `op` with these facts on a device with these facts; needs no device, prints no
/// warning and runs nothing. `dtype` and every key that is not exact must be given; exact keys default to
/// their first symbol. Operands are taken as packed and aligned. Throws std::invalid_argument, naming the
/// key, for an unknown or missing key and for a value outside the key's.
BATCHLAS_API Explanation explain(std::string_view op, const CallFacts& call, const DeviceFacts& device);

/// The device keys for which tables are built in.
BATCHLAS_API std::vector<std::string> table_devices();

/// The facts of the device that the built-in tables of `key` were measured on, with its vendor library taken
/// as present: for explain() on a machine without that device. Throws std::invalid_argument for a key without
/// tables.
BATCHLAS_API DeviceFacts table_device_facts(std::string_view key);

/// While it lives, calls of `op` on this thread run `value`: auto, native (the best runnable kernel that is
/// no vendor's), vendor, or a spelling such as lpanel:panel=8. The innermost pin of an op counts, and wins
/// over the environment variable BATCHLAS_<OP>_ROUTE. A value that is no candidate, or one that cannot run
/// the call, makes the call throw std::invalid_argument. Where nothing of the class native or vendor can run,
/// the call falls back to auto with a warning. Destroy in reverse order, on the same thread.
class BATCHLAS_API ScopedPin {
 public:
  ScopedPin(std::string_view op, std::string_view value);
  ~ScopedPin();
  ScopedPin(const ScopedPin&) = delete;
  ScopedPin& operator=(const ScopedPin&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// As ScopedPin, but native and vendor throw where nothing of their class can run: for measurements, which
/// must never time auto under another name.
class BATCHLAS_API StrictPin {
 public:
  StrictPin(std::string_view op, std::string_view value);
  ~StrictPin();
  StrictPin(const StrictPin&) = delete;
  StrictPin& operator=(const StrictPin&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads the environment variables BATCHLAS_* again; otherwise they are read once, at first use. Every thread
/// sees the new values at its next call.
BATCHLAS_API void reload_settings();

}  // namespace batchlas::inline v0
