// Results as text and as JSON lines.
#pragma once

#include <string>
#include <vector>

#include "result.hh"

namespace batchlas::bench {

/// The heading of a run: device, versions, library.
std::string run_text(const RunInfo& info);
/// One aligned block a cell: arms from fastest to slowest, warnings below.
std::string cell_text(const CellResult& result);

/// A line with "run": device facts, versions, commit, date. The first of a file.
std::string run_json(const RunInfo& info);
/// One line an arm: op, dtype, the keys, ld, arm, kind, ms, spread, samples, ratio_rival, ratio_copy, gflops,
/// gbs, residual, clock_mhz, is_rival, is_auto_choice, cache, sets, note, warnings. Unknown numbers are null.
std::string cell_json(const RunInfo& info, const CellResult& result);

struct ResultFile {
  RunInfo info;
  std::vector<CellResult> cells;
};
/// Reads what the two functions above wrote. Throws std::invalid_argument naming the line.
ResultFile read_results(const std::string& path);

}  // namespace batchlas::bench
