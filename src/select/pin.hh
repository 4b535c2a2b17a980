// Forcing a choice for one op on this thread. A pin wins over BATCHLAS_<OP>_ROUTE.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "batchlas/export.hh"
#include "select/settings.hh"

namespace batchlas::inline v0::select {

/// While it lives, calls of `op` on this thread run `value`: auto, native (the best runnable candidate that
/// is no vendor's), vendor, or a spelling such as lpanel:panel=8. The innermost pin of an op counts. A value
/// that is no candidate, or one that cannot run the call, makes the call throw std::invalid_argument. Where
/// nothing of the class native or vendor can run, the call falls back to auto with a warning. Destroy in
/// reverse order, on the same thread.
class BATCHLAS_API ScopedPin {
 public:
  ScopedPin(std::string_view op, std::string_view value) : ScopedPin(op, value, false) {}
  ~ScopedPin();
  ScopedPin(const ScopedPin&) = delete;
  ScopedPin& operator=(const ScopedPin&) = delete;

 protected:
  ScopedPin(std::string_view op, std::string_view value, bool strict);

 private:
  friend struct PinAccess;
  std::string op_, value_;
  bool strict_;
  const ScopedPin* outer_;
};

/// As ScopedPin, but native and vendor throw where nothing of their class can run: for the tuner, which must
/// never time auto under another name.
class BATCHLAS_API StrictPin : public ScopedPin {
 public:
  StrictPin(std::string_view op, std::string_view value) : ScopedPin(op, value, true) {}
};

/// The pin in force for `op`: of this thread, else of the environment.
struct Pin {
  std::string value;   ///< trimmed, lower case
  std::string source;  ///< "pin" or "BATCHLAS_POTRF_ROUTE", for messages
  bool strict = false;
};
/// Nothing for auto.
std::optional<Pin> pin_of(std::string_view op, const Settings& settings);

}  // namespace batchlas::inline v0::select
