// Table files (tuned/<op>.<device>.txt) from results.
#pragma once

#include <string>
#include <vector>

#include "batchlas/introspect.hh"
#include "result.hh"

namespace batchlas::bench {

struct TimedCandidate {
  std::string spelling;
  double ms = 0;
};

/// Fastest first, but those within 3 % of the fastest in the order of `listed`. Throws std::invalid_argument
/// for a spelling that is not listed.
std::vector<TimedCandidate> rank(std::vector<TimedCandidate> timed, const std::vector<std::string>& listed);

/// The text of the table: the rows of every cell without padding that has a time, sorted by dtype and keys. A
/// cell that was measured twice gives its last row. `listed[dtype]` is the candidate list of a scalar.
std::string table_text(const RunInfo& info, const std::vector<KeyInfo>& keys,
                       const std::vector<std::vector<std::string>>& listed,
                       const std::vector<CellResult>& results);

}  // namespace batchlas::bench
