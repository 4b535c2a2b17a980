#include "select/pin.hh"

#include "base/text.hh"

namespace batchlas::inline v0::select {
namespace {

thread_local const ScopedPin* innermost = nullptr;

}  // namespace

struct PinAccess {
  static const ScopedPin* find(std::string_view op) {
    const ScopedPin* pin = innermost;
    while (pin && pin->op_ != op) pin = pin->outer_;
    return pin;
  }
  static Pin read(const ScopedPin& pin) { return {pin.value_, "pin", pin.strict_}; }
};

ScopedPin::ScopedPin(std::string_view op, std::string_view value, bool strict)
    : op_(base::lower(base::trim(op))),
      value_(base::lower(base::trim(value))),
      strict_(strict),
      outer_(innermost) {
  innermost = this;
}

ScopedPin::~ScopedPin() {
  innermost = outer_;
}

std::optional<Pin> pin_of(std::string_view op, const Settings& settings) {
  std::optional<Pin> pin;
  if (const ScopedPin* scoped = PinAccess::find(op)) {
    pin = PinAccess::read(*scoped);
  } else if (const auto route = settings.routes.find(op); route != settings.routes.end()) {
    pin = Pin{base::lower(base::trim(route->second)), "BATCHLAS_" + base::upper(op) + "_ROUTE", false};
  }
  // An inner auto hides outer pins and the environment.
  if (pin && pin->value == "auto") return {};
  return pin;
}

}  // namespace batchlas::inline v0::select
