// What is measured in a cell, and what an op's file provides for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/device_array.hh"
#include "batchlas/queue.hh"
#include "cell.hh"

namespace batchlas::bench {

enum class ArmKind : std::uint8_t { Candidate, Auto, Rival, Copy };

constexpr std::string_view name(ArmKind kind) {
  constexpr std::string_view names[] = {"candidate", "auto", "rival", "copy"};
  return names[static_cast<int>(kind)];
}

struct Arm {
  std::string name;
  ArmKind kind = ArmKind::Candidate;
  std::function<void(int set)> run;
  /// Held during a sample: a pin, a thread count. May be empty.
  std::function<std::shared_ptr<void>()> scope = {};
};

/// Operands of one cell on a device: `sets` independent ones, each of which a call may destroy.
class Problem {
 public:
  virtual ~Problem() = default;
  /// Makes all sets fresh, in queue order.
  virtual void restore() = 0;
  /// The library's call, under whatever pin is in force.
  virtual void call(int set) = 0;
  /// Copies as many bytes as the operands hold, once; reads set `set` and writes another.
  virtual void copy(int set) = 0;
  /// The bare vendor calls to beat.
  virtual std::vector<Arm> rivals() = 0;
  /// The worst residual of a few items of set 0 after a call on it, in units of its bound's f(n) eps;
  /// infinite where an info is not 0. Waits for the queue.
  virtual double residual() = 0;
};

/// Memory that is kept from cell to cell: allocating gigabytes takes longer than timing them.
class Slab {
 public:
  explicit Slab(const Device& device) : memory_(device, 0), device_(device) {}
  std::byte* at_least(std::int64_t bytes);

 private:
  DeviceArray<std::byte> memory_;
  Device device_;
};

struct Context {
  Queue& queue;
  Slab& slab;
  int threads = 1;        ///< of the CPU arms
  bool with_info = true;  ///< whether the library's call reports info, as the rivals always do
};

/// One a file in ops/.
struct OpBench {
  std::string_view name;
  double (*flops)(const Cell&);             ///< of the whole batch
  double (*bytes)(const Cell&);             ///< that must move: each operand read once and written once
  std::int64_t (*item_bytes)(const Cell&);  ///< of one item's operands, without padding
  std::int64_t (*set_bytes)(const Cell&);   ///< of one set in memory, padding and info included
  std::unique_ptr<Problem> (*make)(const Context&, const Cell&, int sets);
};

/// Null for an op without a file.
const OpBench* find_op_bench(std::string_view op);

}  // namespace batchlas::bench
