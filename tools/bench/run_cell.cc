#include "run_cell.hh"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "batchlas/introspect.hh"
#include "stats.hh"

namespace batchlas::bench {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One arm while it is measured.
struct Runner {
  Arm arm;
  int calls = 1;
  std::vector<double> clocks, cpu_shares;
};

/// How the operands lie: cold from memory, or on a CPU as in a caller's cache.
struct Sets {
  int count = 1;
  bool warm = false;
};

Sets choose_sets(const Context& context, const OpBench& op, const Cell& cell, const Plan& plan) {
  const DeviceFacts& facts = context.queue.device().facts();
  const std::int64_t bytes = std::max<std::int64_t>(1, op.set_bytes(cell));
  const std::int64_t limit = plan.memory_limit > 0    ? plan.memory_limit
                             : facts.memory_bytes > 0 ? facts.memory_bytes * 6 / 10
                                                      : std::int64_t{4} << 30;
  if (3 * bytes > limit)
    throw std::runtime_error("operands of 3 x " + std::to_string(bytes) + " bytes pass the limit of " +
                             std::to_string(limit));
  if (!facts.is_gpu && bytes <= std::int64_t{1} << 20) return {.count = 1, .warm = true};
  // A CPU's L2 is a core's own; what must not hold the operands is its last cache.
  const std::int64_t cache =
      facts.is_gpu ? facts.l2_bytes : std::max<std::int64_t>(facts.l2_bytes, sysconf(_SC_LEVEL3_CACHE_SIZE));
  const std::int64_t wanted = std::clamp<std::int64_t>((3 * cache + bytes - 1) / bytes, 1, 64);
  return {.count = static_cast<int>(std::clamp<std::int64_t>(limit / (2 * bytes), 1, wanted))};
}

std::vector<Arm> make_arms(Problem& problem, const Plan& plan, const OpBench& op) {
  std::vector<Arm> arms;
  const auto pinned = [&op](std::string value) {
    return [op = std::string(op.name), value = std::move(value)]() -> std::shared_ptr<void> {
      return std::make_shared<StrictPin>(op, value);
    };
  };
  const auto call = [&problem](int set) { problem.call(set); };
  for (const std::string& candidate : plan.candidates)
    arms.push_back({candidate, ArmKind::Candidate, call, pinned(candidate)});
  arms.push_back({"auto", ArmKind::Auto, call, pinned("auto")});
  if (plan.rivals)
    for (Arm& rival : problem.rivals()) arms.push_back(std::move(rival));
  arms.push_back({"copy", ArmKind::Copy, [&problem](int set) { problem.copy(set); }});
  return arms;
}

class CellRun {
 public:
  CellRun(const Context& context, Timer& timer, const OpBench& op, const Cell& cell, const Plan& plan)
      : context_(context),
        timer_(timer),
        plan_(plan),
        sets_(choose_sets(context, op, cell, plan)),
        problem_(op.make(context, cell, sets_.count)) {
    result_.cell = cell;
    result_.sets = sets_.count;
    if (sets_.warm) result_.cache = "warm";
    work_ = {.restore = [this] { problem_->restore(); }, .run = {}, .sets = sets_.count};
    for (Arm& arm : make_arms(*problem_, plan, op)) warm_up(std::move(arm));
  }

  CellResult run(double flops, double bytes) {
    std::vector<Racer> racers(runners_.size());
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      racers[i].reference = runners_[i].arm.kind == ArmKind::Copy;
      racers[i].kept = runners_[i].arm.kind == ArmKind::Auto;
    }
    result_.rounds = race(
        racers, plan_.race, [this](std::size_t i) { return sample(i); }, seconds);
    std::vector<std::vector<double>> rounds;
    for (const Racer& racer : racers) rounds.push_back(racer.ms);
    for (std::size_t i = 0; i < runners_.size(); ++i) result_.arms[i].clock_mhz = clock_of(runners_[i]);
    for (ArmResult& arm : failed_) {  // in their warm-up: they have no rounds
      result_.arms.push_back(arm);
      rounds.emplace_back();
    }
    summarize(result_, rounds, flops, bytes);
    look_for_disturbance();
    return std::move(result_);
  }

 private:
  static double clock_of(const Runner& runner) { return runner.clocks.empty() ? 0 : median(runner.clocks); }

  /// First calls load modules and grow the arena; their result is the one that is checked.
  void warm_up(Arm arm) {
    ArmResult result;
    result.arm = arm.name;
    result.kind = arm.kind;
    Runner runner;
    runner.arm = std::move(arm);
    try {
      const auto scope = runner.arm.scope ? runner.arm.scope() : nullptr;
      problem_->restore();
      context_.queue.wait();
      const double start = seconds();
      runner.arm.run(0);
      context_.queue.wait();
      double ms = 1e3 * (seconds() - start);
      if (runner.arm.kind != ArmKind::Copy) result.residual = problem_->residual();
      if (ms < 50) ms = measure(runner, 1).ms;  // a slower call needs no better estimate
      runner.calls = static_cast<int>(
          std::clamp(std::ceil(plan_.sample_ms / std::max(ms, 1e-6)), 1.0, double(timer_.max_calls(work_))));
    } catch (const std::exception& error) {
      result.note = error.what();
      failed_.push_back(std::move(result));
      return;
    }
    result_.arms.push_back(std::move(result));
    runners_.push_back(std::move(runner));
  }

  Sample measure(Runner& runner, int calls) {
    work_.run = runner.arm.run;
    return timer_.measure(work_, calls);
  }

  double sample(std::size_t i) {
    Runner& runner = runners_[i];
    try {
      const auto scope = runner.arm.scope ? runner.arm.scope() : nullptr;
      Sample sample = measure(runner, runner.calls);
      // A throttled clock is rested from, not corrected for.
      for (int retry = 0;
           retry < 2 && sample.clock_mhz > 0 && sample.clock_mhz < 0.75 * timer_.max_clock_mhz(); ++retry) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20 << retry));
        sample = measure(runner, runner.calls);
      }
      if (sample.clock_mhz > 0) runner.clocks.push_back(sample.clock_mhz);
      if (sample.cpu_share > 0) runner.cpu_shares.push_back(sample.cpu_share);
      if (sample.synchronous) result_.arms[i].note = "synchronous";
      return sample.ms;
    } catch (const std::exception& error) {
      result_.arms[i].note = error.what();
      return unknown;
    }
  }

  void look_for_disturbance() {
    double low = 1e9, high = 0;
    for (const Runner& runner : runners_) {
      const double clock = clock_of(runner);
      if (!(clock > 0)) continue;
      low = std::min(low, clock);
      high = std::max(high, clock);
    }
    if (high > 0 && low < 0.98 * high)
      warn("clocks of the arms differ: " + std::to_string(int(low)) + " to " + std::to_string(int(high)) +
           " MHz");
    if (high > 0 && low < 0.75 * timer_.max_clock_mhz())
      warn("clock down to " + std::to_string(int(low)) + " of " +
           std::to_string(int(timer_.max_clock_mhz())) + " MHz");
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      const ArmResult& arm = result_.arms[i];
      if (arm.kind == ArmKind::Copy && arm.samples > 2 && arm.spread > 0.1)
        warn("the copy's times spread by " + std::to_string(int(100 * arm.spread)) + " %: another process?");
      if (arm.kind != ArmKind::Copy && !(arm.residual < residual_bound))
        warn(arm.arm + ": residual " + std::to_string(arm.residual));
      if (arm.is_rival && !runners_[i].cpu_shares.empty()) check_cpu_share(median(runners_[i].cpu_shares));
    }
  }

  /// A CPU that others use too gives no ratio.
  void check_cpu_share(double share) {
    const double wanted = static_cast<double>(
        std::min<std::int64_t>(context_.threads, std::max<std::int64_t>(1, result_.cell.number("batch"))));
    if (share >= 0.8 * wanted) return;
    warn("the rival had " + std::to_string(share).substr(0, 4) + " of " + std::to_string(int(wanted)) +
         " CPUs: no ratio");
    for (ArmResult& arm : result_.arms) arm.ratio_rival = unknown;
  }

  void warn(std::string text) { result_.warnings.push_back(std::move(text)); }

  const Context& context_;
  Timer& timer_;
  const Plan& plan_;
  Sets sets_;
  std::unique_ptr<Problem> problem_;
  Work work_;
  CellResult result_;
  std::vector<Runner> runners_;  ///< with result_.arms of the same index
  std::vector<ArmResult> failed_;
};

}  // namespace

CellResult run_cell(const Context& context, Timer& timer, const OpBench& op, const Cell& cell,
                    const Plan& plan) {
  CallFacts facts = cell.keys;
  facts["dtype"] = std::string(name(cell.dtype));
  const Explanation why = explain(op.name, facts, context.queue.device().facts());
  Plan runnable = plan;
  std::erase_if(runnable.candidates, [&why](const std::string& spelling) {
    return std::any_of(why.candidates.begin(), why.candidates.end(),
                       [&](const ExplainedCandidate& candidate) {
                         return candidate.spelling == spelling && !candidate.refusal.empty();
                       });
  });
  CellRun run(context, timer, op, cell, runnable);
  CellResult result = run.run(op.flops(cell), op.bytes(cell));
  for (ArmResult& arm : result.arms)
    arm.is_auto_choice = arm.kind == ArmKind::Candidate && arm.arm == why.choice;
  if (why.choice.empty()) result.warnings.push_back("auto: " + why.error);
  return result;
}

}  // namespace batchlas::bench
