// An op that does not exist, for the tests of selection: its tables are text in the test, its can_run is a
// set.
#pragma once

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "batchlas/enums.hh"
#include "select/select.hh"
#include "select/settings.hh"

namespace batchlas::testing {

using Tiny = select::NoFields<"tiny">;
using Cta = select::NoFields<"cta">;
struct LPanel {
  static constexpr std::string_view name = "lpanel";
  static constexpr std::string_view fields[] = {"panel"};
  int panel = 8;
  bool operator==(const LPanel&) const = default;
};
struct Reg {
  static constexpr std::string_view name = "reg";
  static constexpr std::string_view fields[] = {"m", "n", "k"};
  int m = 32, n = 32, k = 8;
  bool operator==(const Reg&) const = default;
};
struct Blocked {
  static constexpr std::string_view name = "blocked";
  static constexpr std::string_view fields[] = {"nb"};
  static constexpr bool capturable = false;
  int nb = 64;
  bool operator==(const Blocked&) const = default;
};
using Vendor = select::NoFields<"vendor">;
using Choice = std::variant<Tiny, Cta, LPanel, Reg, Blocked, Vendor>;

inline constexpr Choice float_choices[] = {Tiny{}, Cta{}, LPanel{8}, LPanel{16}, Blocked{64}, Vendor{}};
inline constexpr Choice other_choices[] = {Tiny{}, Cta{}, LPanel{8}, Blocked{64}, Vendor{}};

inline constexpr std::string_view fake_keys = "uplo:exact n:log:3 batch:log";

/// The lines before the rows. `sku` is a whole header line or empty.
inline std::string header(std::string_view device, std::string_view op = "fake", std::string_view sku = "") {
  return "# op=" + std::string(op) + " device=" + std::string(device) +
         " batchlas=0 kernels=0 date=2026-01-01\n" + std::string(sku) + (sku.empty() ? "" : "\n") +
         "# source=ledger:none\n# keys: dtype:exact " + std::string(fake_keys) + "\n";
}

/// Table files that outlive the ops made from them.
class Files {
 public:
  Files() = default;
  Files(std::initializer_list<std::pair<const std::string, std::string>> files) : files_(files) {
    for (const auto& [name, text] : files_) views_.push_back({name, text});
  }
  std::span<const select::TableText> views() const { return views_; }

 private:
  std::map<std::string, std::string> files_;
  std::vector<select::TableText> views_;
};

struct FakeOp : select::Op<Choice> {
  explicit FakeOp(const Files& files = {}, std::string_view name = "fake",
                  std::string_view last_resort = "blocked vendor")
      : Op({.name = name,
            .keys = fake_keys,
            .symbols = {{"uplo", "L U"}},
            .candidates = {float_choices, other_choices, other_choices, std::span<const Choice>{}},
            .last_resort = last_resort,
            .tables = files.views()}) {}
};

inline DeviceFacts gpu(std::string key = "sm_90", int number = 90) {
  return {
      .key = key, .family = "sm", .arch_number = number, .name = "", .is_gpu = true, .multiprocessors = 0};
}
inline DeviceFacts cpu() {
  return {.key = "cpu", .family = "cpu", .name = "", .multiprocessors = 0};
}

inline const DeviceFacts sm_90 = gpu();

inline select::Call call(std::int64_t n, std::int64_t batch, Uplo uplo = Uplo::Lower,
                         DType dtype = DType::Float, const DeviceFacts& device = sm_90) {
  return {device, dtype, {uplo, n, batch}};
}

/// can_run that refuses the spellings in a set, and counts how often it was asked.
struct Refusing {
  std::set<std::string> refused = {};
  int asked = 0;

  select::Refusal operator()(const Choice& choice) {
    ++asked;
    return refused.contains(select::print(choice)) ? "refused by the test" : nullptr;
  }
};

inline std::string picked(const select::Op<Choice>& op, const select::Call& c,
                          std::set<std::string> refused = {}) {
  return select::print(select::pick(op, c, Refusing{std::move(refused)}));
}

/// Collects what goes to the message sink while it lives.
class Messages {
 public:
  Messages() {
    set_message_sink([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~Messages() { set_message_sink(nullptr); }
  std::vector<std::string> lines;
};

/// Sets an environment variable, reloads the settings, and undoes both.
class ScopedEnvVar {
 public:
  ScopedEnvVar(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) {
      had_ = true;
      old_ = old;
    }
    ::setenv(name_.c_str(), value.c_str(), 1);
    select::detail::reload_settings();
  }
  ~ScopedEnvVar() {
    had_ ? ::setenv(name_.c_str(), old_.c_str(), 1) : ::unsetenv(name_.c_str());
    select::detail::reload_settings();
  }

 private:
  std::string name_, old_;
  bool had_ = false;
};

/// The message of the exception that f throws, or "" where it throws no E.
template <class E, class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace batchlas::testing
