// Timing of back-to-back calls on one device.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "batchlas/queue.hh"

namespace batchlas::bench {

/// The calls of one sample. Every call destroys its operand set; restore() makes all sets fresh again, in
/// queue order.
struct Work {
  std::function<void()> restore;
  std::function<void(int set)> run;
  int sets = 1;
};

struct Sample {
  double ms = 0;             ///< of one call
  double clock_mhz = 0;      ///< of the GPU's multiprocessors right after the sample; 0 on a CPU
  double cpu_share = 0;      ///< CPU seconds of the process per wall second; 0 on a GPU
  bool synchronous = false;  ///< the calls wait for the GPU, so that their launches are timed too
};

class Timer {
 public:
  virtual ~Timer() = default;
  /// The most calls of one sample that this timer can make.
  virtual int max_calls(const Work& work) const = 0;
  virtual Sample measure(const Work& work, int calls) = 0;
  /// The highest clock of the multiprocessors; 0 on a CPU.
  virtual double max_clock_mhz() const { return 0; }
};

/// Wall time of the calls alone, restores left out.
std::unique_ptr<Timer> make_cpu_timer();
/// Device events behind a kernel that holds the queue until all calls are enqueued. Null in a build without
/// CUDA.
std::unique_ptr<Timer> make_cuda_timer(Queue& queue);
/// "driver=13000 toolkit=13000"; empty in a build without CUDA.
std::string cuda_versions();

}  // namespace batchlas::bench
