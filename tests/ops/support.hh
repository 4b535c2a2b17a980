// What the suites of every op share: devices and candidates as test parameters, and proof of what ran.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchlas/device.hh"
#include "batchlas/introspect.hh"
#include "batchlas/queue.hh"
#include "batchlas/scalar.hh"
#include "batchlas/status.hh"

namespace batchlas::ops_tests {

/// A device by description, so that a suite can be listed where the device is absent.
struct Target {
  std::string name;
  DeviceKind kind = DeviceKind::Cpu;
  HostExecutorOptions host = {};

  bool absent() const { return kind == DeviceKind::Cuda && cuda_device_count() == 0; }
  Device open() const {
    if (kind == DeviceKind::Cpu) return Device::cpu();
    return kind == DeviceKind::Cuda ? Device::cuda(0) : Device::host_executor("sm_90", host);
  }
};

inline const Target cpu{"cpu"};
inline const Target cuda{"cuda", DeviceKind::Cuda};
inline const Target host{"host", DeviceKind::HostExecutor};
/// The host executor otherwise: the other lane orders, and sub-groups of another width.
inline const std::vector<Target> host_variants = {
    {"host_down", DeviceKind::HostExecutor, {.order = LaneOrder::Down}},
    {"host_shuffled", DeviceKind::HostExecutor, {.order = LaneOrder::Shuffled, .seed = 1}},
    {"host_width8", DeviceKind::HostExecutor, {.order = LaneOrder::Shuffled, .seed = 2, .sub_group_size = 8}},
    {"host_width64",
     DeviceKind::HostExecutor,
     {.order = LaneOrder::Shuffled, .seed = 3, .sub_group_size = 64}}};

/// A candidate of an op, for one scalar on one device.
struct Case {
  Target target;
  DType dtype = DType::Float;
  std::string candidate;

  bool vendor() const { return candidate == "vendor"; }
  /// "tiny" of "tiny", "lpanel" of "lpanel:panel=8".
  std::string family() const { return candidate.substr(0, candidate.find(':')); }
};

inline void PrintTo(const Case& which, std::ostream* out) {
  *out << which.target.name << ' ' << name(which.dtype) << ' ' << which.candidate;
}

inline constexpr DType every_dtype[] = {DType::Float, DType::Double, DType::CFloat, DType::CDouble};

inline std::vector<Case> cases(std::string_view op, const std::vector<Target>& targets) {
  std::vector<Case> all;
  for (const Target& target : targets)
    for (const DType dtype : every_dtype)
      for (const std::string& candidate : candidates(op, dtype)) all.push_back({target, dtype, candidate});
  return all;
}

/// "host_down_float_lpanel_panel_8".
inline std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string text =
      info.param.target.name + '_' + std::string(name(info.param.dtype)) + '_' + info.param.candidate;
  for (char& c : text)
    if (c == ':' || c == '=') c = '_';
  return text;
}

/// Collects the messages of the library with selection traces switched on, from first use to the end of the
/// process.
class Trace {
 public:
  static Trace& get() {
    static Trace trace;
    return trace;
  }
  /// The lines since the last call.
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  Trace() {
    setenv("BATCHLAS_SELECT_TRACE", "1", 1);
    reload_settings();
    set_message_sink([this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
    });
  }
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// The last of the lines tells that a pin made the call run this candidate.
inline bool ran(const std::vector<std::string>& lines, const std::string& candidate) {
  if (lines.empty()) return false;
  const std::string& line = lines.back();
  const std::size_t arrow = line.find("-> ");
  if (arrow == line.npos || line.find("pin") == line.npos) return false;
  const std::string told = line.substr(arrow + 3);
  return told.starts_with(candidate) && (told[candidate.size()] == ' ' || told[candidate.size()] == ',');
}

/// Opens the device of the case; skips where it is absent.
class CandidateTest : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (GetParam().target.absent()) GTEST_SKIP() << "skipped: no CUDA device";
    Trace::get();
    queue_.emplace(GetParam().target.open());
  }
  Queue& queue() { return *queue_; }
  const Case& which() const { return GetParam(); }
  bool on(DeviceKind kind) const { return GetParam().target.kind == kind; }

  /// Calls f with a scalar of the case's type.
  template <class F>
  void with_scalar(F&& f) {
    visit_dtype(which().dtype, f);
  }

  /// What explain says against the candidate for this call, which has packed operands; empty where it can
  /// run.
  std::string refusal(CallFacts call) {
    call["dtype"] = name(which().dtype);
    for (const ExplainedCandidate& c : explain(op_, call, queue().device().facts()).candidates)
      if (c.spelling == which().candidate) return c.refusal;
    ADD_FAILURE() << which().candidate << " is not explained";
    return "not explained";
  }

  std::string op_ = "potrf";

 private:
  std::optional<Queue> queue_;
};

/// The message of the std::invalid_argument that f throws; empty where it throws nothing.
template <class F>
std::string refused(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace batchlas::ops_tests
