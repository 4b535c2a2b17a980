#include "select/explain.hh"

#include <cstdio>

#include "batchlas/status.hh"
#include "select/decide.hh"

namespace batchlas::inline v0::select {
namespace {

std::string number(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void describe_decision(Explanation& result, const OpBase& op, const Call& call, const Decision& decision) {
  result.choice = op.listed(call.dtype)[decision.step.candidate].spelling;
  result.tag = tag_of(decision);
  if (!decision.step.stage) return;
  const Stage& stage = *decision.step.stage;
  const Row& row = *stage.nearest.row;
  result.row = op.keys().to_text(row.key);
  result.row_from = stage.table->source(row).file + ':' + std::to_string(row.line);
  result.distance = stage.nearest.distance;
}

}  // namespace

Explanation detail::explain(const OpBase& op, const Call& call, CanRun can_run) {
  const auto snapshot = settings();
  Explanation result{.op = op.name(),
                     .dtype = std::string(name(call.dtype)),
                     .key = op.keys().to_text(call.key),
                     .device = call.device.key};
  const auto pin = pin_of(op.name(), *snapshot);
  result.pin = pin ? pin->value + " (" + pin->source + (pin->strict ? ", strict)" : ")") : "auto";
  try {
    describe_decision(result, op, call, decide(op, call, can_run, *snapshot, true));
  } catch (const std::invalid_argument& error) {
    result.error = error.what();
  } catch (const NoRouteError& error) {
    result.error = error.what();
  }
  ranking_of(op, call, *snapshot)->walk([&](const Step& step) {
    const Refusal refusal = refusal_of(op, call, can_run, step.candidate);
    ExplainedCandidate& entry = result.candidates.emplace_back();
    entry.spelling = op.listed(call.dtype)[step.candidate].spelling;
    entry.rank = static_cast<int>(result.candidates.size());
    if (refusal) entry.refusal = refusal;
    if (step.entry && step.entry->ms > 0) entry.ms = step.entry->ms;
    entry.from = step.stage ? step.stage->tag : "last resort";
    entry.chosen = entry.spelling == result.choice;
    return false;
  });
  return result;
}

std::string to_text(const Explanation& e) {
  std::string text = e.op + ' ' + e.dtype + ' ' + e.key + " on " + e.device + ", pin " + e.pin + '\n';
  if (!e.row.empty())
    text += "row " + e.row + " (" + e.row_from + ", distance " + number(e.distance, "%.3g") + ")\n";
  for (const ExplainedCandidate& c : e.candidates) {
    text += c.chosen ? "-> " : "   ";
    text += std::to_string(c.rank) + ' ' + c.spelling;
    if (c.ms) text += ' ' + number(*c.ms, "%.4g") + " ms";
    text += " [" + c.from + ']';
    if (!c.refusal.empty()) text += " refused: " + c.refusal;
    text += '\n';
  }
  return text + (e.error.empty() ? "choice " + e.choice + " [" + e.tag + ']' : "error " + e.error) + '\n';
}

}  // namespace batchlas::inline v0::select
