#include "select/choose.hh"

#include "batchlas/status.hh"
#include "select/decide.hh"
#include "select/trace.hh"

namespace batchlas::inline v0::select {
namespace {

std::string timed(const OpBase& op, const Call& call, const Step& step) {
  std::string text = op.listed(call.dtype)[step.candidate].spelling;
  if (step.entry && step.entry->ms > 0)
    text += ' ' + std::string(step.stage->table->time_text(*step.stage->nearest.row, *step.entry)) + " ms";
  return text;
}

bool within_tie(double a, double b) {
  return a > 0 && b > 0 && a <= 1.03 * b && b <= 1.03 * a;
}

/// ", next vendor 0.490 ms", ", tied with vendor 13.74 ms (3%)": the runner-up of the row, if it can run.
/// Candidates before the choice that only a capture keeps out are named too.
std::string rivals_text(const OpBase& op, const Call& call, detail::CanRun can_run,
                        const Decision& decision) {
  std::string skipped, next;
  bool passed = false;
  decision.ranking->walk([&](const Step& step) {
    const Candidate& candidate = op.listed(call.dtype)[step.candidate];
    if (step.candidate == decision.step.candidate) {
      passed = true;
    } else if (!passed) {
      if (call.capturing && !candidate.capturable && !can_run(step.candidate))
        skipped += ", not capturable " + timed(op, call, step);
    } else if (step.stage != decision.step.stage) {
      return true;
    } else if (!refusal_of(op, call, can_run, step.candidate)) {
      const bool tied =
          within_tie(step.entry ? step.entry->ms : -1, decision.step.entry ? decision.step.entry->ms : -1);
      next = (tied ? ", tied with " : ", next ") + timed(op, call, step) + (tied ? " (3%)" : "");
      return true;
    }
    return false;
  });
  return next + skipped;
}

void print_trace(const OpBase& op, const Call& call, detail::CanRun can_run, const Decision& decision) {
  std::string line = call_text(op, call) + " -> " + timed(op, call, decision.step);
  if (decision.ranking) line += rivals_text(op, call, can_run, decision);
  trace_line(line + " [" + tag_of(decision) + ']');
}

}  // namespace

std::size_t detail::choose(const OpBase& op, const Call& call, CanRun can_run) {
  return decide(op, call, can_run, *settings(), false).step.candidate;
}

std::size_t detail::choose_for_launch(const OpBase& op, const Call& call, CanRun can_run) {
  const auto snapshot = settings();
  const bool coverage = !snapshot->coverage_out.empty();
  Decision decision;
  try {
    decision = decide(op, call, can_run, *snapshot, false);
  } catch (const NoRouteError&) {
    if (coverage)
      coverage_row(op.name(), name(call.dtype), op.keys().to_text(call.key), false, "", false, "");
    throw;
  }
  if (snapshot->trace) print_trace(op, call, can_run, decision);
  const Candidate& chosen = op.listed(call.dtype)[decision.step.candidate];
  if (coverage)
    coverage_row(op.name(), name(call.dtype), op.keys().to_text(call.key), true, chosen.spelling,
                 chosen.vendor, tag_of(decision));
  return decision.step.candidate;
}

}  // namespace batchlas::inline v0::select
