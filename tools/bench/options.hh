// The command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cell.hh"
#include "race.hh"

namespace batchlas::bench {

struct Options {
  std::string op;
  std::string device = "";  ///< empty: the first GPU, else the CPU
  std::vector<std::string> dtypes;
  /// Per key of the op its values, words or lists as given.
  std::vector<std::pair<std::string, std::string>> keys;
  std::vector<std::int64_t> pads;
  std::vector<std::string> candidates;  ///< empty: all
  bool no_candidates = false;           ///< auto, rivals and copy only
  bool rivals = true;
  bool with_info = true;
  int threads = 0;  ///< 0: as OpenMP would use
  RacePolicy race;
  std::int64_t memory_limit = 0;
  std::string json, tables;
  std::vector<std::string> from;  ///< result files to read instead of measuring
  std::string commit = "-", kernels = "-";
  bool quiet = false;
};

/// Parses and checks. Nothing where help was asked for or the arguments are wrong; `exit_code` then says
/// which. Throws std::invalid_argument for an unknown op.
std::optional<Options> parse_options(int argc, char** argv, int& exit_code);

/// The cells that options ask for, the batch words resolved by `item_bytes` of each.
std::vector<Cell> cells_of(const Options& options, const DeviceFacts& device,
                           std::int64_t (*item_bytes)(const Cell&));

}  // namespace batchlas::bench
