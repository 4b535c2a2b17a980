// What a cell's measurement says.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arm.hh"
#include "cell.hh"

namespace batchlas::bench {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A residual from here on is a wrong result (LAPACK's test bound), and its time counts for nothing.
inline constexpr double residual_bound = 30;

struct ArmResult {
  std::string arm;
  ArmKind kind = ArmKind::Candidate;
  double ms = unknown;      ///< median of one call
  double spread = unknown;  ///< half the interquartile range over the median
  int samples = 0;
  double ratio_rival =
      unknown;  ///< the rival's time over this one's, paired: above 1 is faster than the rival
  double ratio_copy = unknown;  ///< this one's time over the copy's, paired
  double gflops = unknown, gbs = unknown;
  double residual = unknown;    ///< in units of f(n) eps; NaN for the copy
  double clock_mhz = 0;         ///< median; 0 on a CPU
  bool is_rival = false;        ///< the rival that ratios refer to: the fastest of its kind
  bool is_auto_choice = false;  ///< the candidate that auto runs
  std::string note;             ///< "synchronous", or why there is no time
};

struct CellResult {
  Cell cell;
  std::string cache = "cold";  ///< or "warm": the operands were in the CPU's cache
  int sets = 1;
  int rounds = 0;
  std::vector<ArmResult> arms;
  std::vector<std::string> warnings;
};

/// Where and when.
struct RunInfo {
  std::string op;
  DeviceFacts device;
  std::string versions;  ///< of driver and toolkit, or of the LAPACK's core
  std::string library;   ///< version()
  std::string commit;    ///< of the sources; "-" where unknown
  std::string kernels;   ///< hash of the op's kernel sources; "-" where unknown
  std::string date;      ///< YYYY-MM-DD
  int threads = 0;       ///< of a CPU
};

}  // namespace batchlas::bench
