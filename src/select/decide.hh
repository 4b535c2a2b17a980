// One decision: pin, then ranking. Shared by choose() and explain(), so that they cannot differ.
#pragma once

#include <optional>

#include "select/choose.hh"
#include "select/pin.hh"
#include "select/ranking.hh"

namespace batchlas::inline v0::select {

struct Decision {
  Step step{};
  std::optional<Pin> pin;
  std::shared_ptr<Ranking> ranking;  ///< keeps step.stage alive; null where a spelling was pinned
};

/// Which candidates a pin leaves.
enum class Class : std::uint8_t { Any, Native, Vendor };

inline bool in_class(const Candidate& candidate, Class wanted) {
  return wanted == Class::Any || candidate.vendor == (wanted == Class::Vendor);
}

/// can_run's answer, after the capture check.
inline Refusal refusal_of(const OpBase& op, const Call& call, detail::CanRun can_run, std::size_t candidate) {
  if (call.capturing && !op.listed(call.dtype)[candidate].capturable)
    return "cannot run while the queue is captured";
  return can_run(candidate);
}

/// Throws as detail::choose. Warns at most once an op and kind, and not at all where quiet.
Decision decide(const OpBase& op, const Call& call, detail::CanRun can_run, const Settings& settings,
                bool quiet);

/// "potrf float n=64 batch=8192", as traces and errors name a call.
std::string call_text(const OpBase& op, const Call& call);

/// What decided: "sm_90", "last resort", "pin", "BATCHLAS_POTRF_ROUTE"; "sm_90, pin native" for a class.
std::string tag_of(const Decision& decision);

}  // namespace batchlas::inline v0::select
