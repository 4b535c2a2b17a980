// Measures one cell: every arm that can run, interleaved.
#pragma once

#include <string>
#include <vector>

#include "arm.hh"
#include "race.hh"
#include "result.hh"
#include "timer.hh"

namespace batchlas::bench {

struct Plan {
  std::vector<std::string> candidates;  ///< spellings to pin; those that cannot run the cell are left out
  bool rivals = true;
  RacePolicy race;
  double sample_ms = 0.2;         ///< the least time of a sample: events resolve half a microsecond
  std::int64_t memory_limit = 0;  ///< bytes for operands; 0: 60 % of the device's
};

/// Never throws for an arm that fails: its note says why.
CellResult run_cell(const Context& context, Timer& timer, const OpBench& op, const Cell& cell,
                    const Plan& plan);

/// Fills the results' statistics from the rounds. `rounds[i]` are the times of arm i.
void summarize(CellResult& result, const std::vector<std::vector<double>>& rounds, double flops,
               double bytes);

}  // namespace batchlas::bench
