// Where warnings and trace lines go: the sink of batchlas::set_message_sink.
#pragma once

#include <string_view>

#include "batchlas/export.hh"

namespace batchlas::inline v0::base {

/// Hands one line (without the newline) to the sink. Thread-safe; a sink that itself calls the library is not
/// called again for the lines of that inner call, which go to standard error.
BATCHLAS_API void message(std::string_view line);

}  // namespace batchlas::inline v0::base
