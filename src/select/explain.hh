// Why a call runs what it runs: every candidate in the order in which choose() tries it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchlas/export.hh"

namespace batchlas::inline v0::select {

struct ExplainedCandidate {
  std::string spelling;
  int rank = 0;         ///< 1 is tried first
  std::string refusal;  ///< empty: it can run
  std::optional<double>
      ms;            ///< measured time of the row, whole batch; none from untimed rows and the last resort
  std::string from;  ///< tag of the table whose row ranks it ("sm_90"), or "last resort"
  bool chosen = false;
};

/// Where no pin is in force, the first candidate without a refusal is what choose() returns.
struct Explanation {
  std::string op = {}, dtype = {}, key = {}, device = {};
  std::string pin = {};     ///< "auto", or "vendor (BATCHLAS_POTRF_ROUTE)"
  std::string choice = {};  ///< empty: the call throws, and `error` says why
  std::string error = {};
  std::string tag = {};       ///< the table that decided, "pin" or "last resort"
  std::string row = {};       ///< key of the row that decided: "uplo=L n=64 batch=8192"; empty without one
  std::string row_from = {};  ///< file and line of that row
  double distance = 0;        ///< of that row from the key, in weighted factors of two
  std::vector<ExplainedCandidate> candidates = {};
};

BATCHLAS_API std::string to_text(const Explanation& explanation);

}  // namespace batchlas::inline v0::select
