#include "select/decide.hh"

#include <stdexcept>

#include "base/message.hh"
#include "batchlas/status.hh"

namespace batchlas::inline v0::select {
namespace {

void check_key(const OpBase& op, const Call& call) {
  if (call.key.count != op.keys().size())
    throw std::invalid_argument(op.name() + ": " + std::to_string(call.key.count) + " key values, expected " +
                                op.keys().to_text());
}

/// The first candidate of the class that can run, in order.
std::optional<Step> first_runnable(Ranking& ranking, const OpBase& op, const Call& call,
                                   detail::CanRun can_run, Class wanted) {
  std::optional<Step> found;
  ranking.walk([&](const Step& step) {
    if (!in_class(op.listed(call.dtype)[step.candidate], wanted)) return false;
    if (refusal_of(op, call, can_run, step.candidate)) return false;
    found = step;
    return true;
  });
  return found;
}

Step pinned_spelling(const OpBase& op, const Call& call, detail::CanRun can_run, const Pin& pin) {
  std::size_t index;
  try {
    index = op.index_of(call.dtype, pin.value);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(error.what()) + "; or auto, native, vendor (from " + pin.source +
                                ")");
  }
  if (const Refusal refusal = refusal_of(op, call, can_run, index))
    throw std::invalid_argument(op.name() + ": choice \"" + pin.value + "\" (from " + pin.source +
                                ") cannot run " + call_text(op, call) + ": " + refusal + "; candidates for " +
                                std::string(name(call.dtype)) + ": " + op.candidate_text(call.dtype) +
                                "; or auto, native, vendor");
  return Step{index};
}

/// " - tiny: n > 64; cta: needs a GPU": every candidate of the class with its refusal, in the order they are
/// tried.
std::string reasons(Ranking& ranking, const OpBase& op, const Call& call, detail::CanRun can_run,
                    Class wanted) {
  std::string text;
  ranking.walk([&](const Step& step) {
    const Candidate& candidate = op.listed(call.dtype)[step.candidate];
    if (wanted == Class::Any || candidate.vendor == (wanted == Class::Vendor)) {
      const Refusal refusal = refusal_of(op, call, can_run, step.candidate);
      text += (text.empty() ? " - " : "; ") + candidate.spelling + ": " + (refusal ? refusal : "can run");
    }
    return false;
  });
  return text;
}

void warn_class(const OpBase& op, const Call& call, const Pin& pin, Class wanted) {
  if (!op.first_warning(wanted == Class::Vendor ? OpBase::Warning::VendorPin : OpBase::Warning::NativePin))
    return;
  base::message("batchlas: " + op.name() + ": " + pin.value + " (from " + pin.source +
                ") has nothing that can run " + call_text(op, call) + "; using auto");
}

std::string machine(const Sku& sku) {
  std::string text = sku.name.empty() ? "machine" : sku.name;
  if (sku.sms > 0) text += " (" + std::to_string(sku.sms) + " multiprocessors)";
  return text;
}

void warn_borrowed(const OpBase& op, const Call& call, const Decision& decision) {
  const Stage* stage = decision.step.stage;
  // A device with a table of its own may end at another's where everything in its row was refused: no news.
  if (!stage || !(stage->other_sku || !decision.ranking->has_own_table())) return;
  if (!op.first_warning(OpBase::Warning::Borrow)) return;
  std::string text = "batchlas: " + op.name();
  if (stage->own) {
    Sku here;
    here.name = call.device.name;
    here.sms = call.device.multiprocessors;
    text += "'s " + std::string(name(call.dtype)) + " table for " + stage->device + " was measured on " +
            machine(stage->table->source(*stage->nearest.row).sku) + ", not on this " + machine(here) +
            "; borrowing it";
  } else {
    text += " has no " + std::string(name(call.dtype)) + " table for " + call.device.key + "; borrowing " +
            stage->device;
  }
  base::message(text + " (run tools/tune to tune this device)");
}

}  // namespace

std::string call_text(const OpBase& op, const Call& call) {
  std::string text = op.name() + ' ' + std::string(name(call.dtype));
  const std::string key = op.keys().short_text(call.key);
  return key.empty() ? text : text + ' ' + key;
}

std::string tag_of(const Decision& decision) {
  const std::string from = decision.step.stage ? decision.step.stage->tag : "last resort";
  if (!decision.pin) return from;
  return decision.ranking ? from + ", pin " + decision.pin->value : decision.pin->source;
}

Decision decide(const OpBase& op, const Call& call, detail::CanRun can_run, const Settings& settings,
                bool quiet) {
  check_key(op, call);
  Decision decision;
  decision.pin = pin_of(op.name(), settings);
  Class wanted = Class::Any;
  if (decision.pin) {
    if (decision.pin->value == "native") wanted = Class::Native;
    if (decision.pin->value == "vendor") wanted = Class::Vendor;
    if (wanted == Class::Any) {
      decision.step = pinned_spelling(op, call, can_run, *decision.pin);
      return decision;
    }
  }
  decision.ranking = ranking_of(op, call, settings);
  std::optional<Step> step = first_runnable(*decision.ranking, op, call, can_run, wanted);
  if (!step && wanted != Class::Any) {
    if (decision.pin->strict)
      throw std::invalid_argument(op.name() + ": choice \"" + decision.pin->value +
                                  "\" refused (strict): nothing of that class can run " +
                                  call_text(op, call) +
                                  reasons(*decision.ranking, op, call, can_run, wanted));
    if (!quiet) warn_class(op, call, *decision.pin, wanted);
    decision.pin.reset();
    step = first_runnable(*decision.ranking, op, call, can_run, Class::Any);
  }
  if (!step)
    throw NoRouteError(op.name() + ": nothing can run " + call_text(op, call) + " on " + call.device.key +
                       reasons(*decision.ranking, op, call, can_run, Class::Any));
  decision.step = *step;
  if (!quiet) warn_borrowed(op, call, decision);
  return decision;
}

}  // namespace batchlas::inline v0::select
