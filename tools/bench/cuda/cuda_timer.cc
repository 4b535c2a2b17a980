// After nvbench's design: hold the queue, enqueue start event, calls, stop event and a clock reading, let go,
// wait.
#include <cuda_runtime_api.h>

#include "batchlas/cuda.hh"
#include "cuda/check.hh"
#include "cuda/kernels.hh"
#include "timer.hh"

namespace batchlas::bench {
namespace {

class CudaTimer : public Timer {
 public:
  explicit CudaTimer(Queue& queue) : stream_(stream_of(queue)), ordinal_(queue.device().ordinal()) {
    const OnDevice on(ordinal_);
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
    void* host = nullptr;
    check(cudaHostAlloc(&host, sizeof(HoldFlags), cudaHostAllocMapped), "cudaHostAlloc");
    flags_ = static_cast<HoldFlags*>(host);
    *flags_ = {};
    void* mapped = nullptr;
    check(cudaHostGetDevicePointer(&mapped, host, 0), "cudaHostGetDevicePointer");
    device_flags_ = static_cast<HoldFlags*>(mapped);
    void* ticks = nullptr;
    check(cudaHostAlloc(&ticks, 2 * sizeof(std::int64_t), cudaHostAllocMapped), "cudaHostAlloc");
    ticks_ = static_cast<std::int64_t*>(ticks);
    check(cudaHostGetDevicePointer(&mapped, ticks, 0), "cudaHostGetDevicePointer");
    device_ticks_ = static_cast<std::int64_t*>(mapped);
    int khz = 0;
    check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, ordinal_), "cudaDeviceGetAttribute");
    max_clock_mhz_ = khz / 1e3;
    // Loads the kernels now: a first launch behind a held queue would wait for it.
    volatile_flags().release = 1;
    check(enqueue_hold(stream_, device_flags_, hold_limit_ns), "hold");
    check(enqueue_clock(stream_, device_ticks_), "read_clock");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

  ~CudaTimer() override {
    volatile_flags().release = 1;
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
    cudaFreeHost(flags_);
    cudaFreeHost(ticks_);
  }

  // A held queue takes about 1024 launches; a call may be a dozen of them, and one more would wait for ever.
  int max_calls(const Work& work) const override { return work.sets < 64 ? work.sets : 64; }

  double max_clock_mhz() const override { return max_clock_mhz_; }

  Sample measure(const Work& work, int calls) override {
    const OnDevice on(ordinal_);
    for (; calls > 1; calls /= 4) {
      Sample sample;
      if (measure_held(work, calls, sample)) return sample;
    }
    Sample sample;
    if (measure_held(work, 1, sample)) return sample;
    // Even one call cannot be enqueued while the queue is held: it waits for the GPU, and is timed with its
    // launches.
    work.restore();
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    sample.ms = timed(work, 1, [] {});
    sample.clock_mhz = clock_mhz();
    sample.synchronous = true;
    return sample;
  }

 private:
  static constexpr std::int64_t hold_limit_ns = 50'000'000;

  volatile HoldFlags& volatile_flags() { return *flags_; }

  double clock_mhz() const {
    return ticks_[1] > 0 ? 1e3 * static_cast<double>(ticks_[0]) / static_cast<double>(ticks_[1]) : 0;
  }

  /// False where the held queue was given up on.
  bool measure_held(const Work& work, int calls, Sample& sample) {
    work.restore();
    // The flags are those of the last sample until the stream is idle.
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    volatile_flags().release = 0;
    volatile_flags().timed_out = 0;
    check(enqueue_hold(stream_, device_flags_, hold_limit_ns), "hold");
    const auto release = [this] { volatile_flags().release = 1; };
    try {
      sample.ms = timed(work, calls, release);
    } catch (...) {
      release();
      cudaStreamSynchronize(stream_);
      throw;
    }
    sample.clock_mhz = clock_mhz();
    return volatile_flags().timed_out == 0;
  }

  template <class Release>
  double timed(const Work& work, int calls, Release release) {
    check(cudaEventRecord(start_, stream_), "cudaEventRecord");
    for (int call = 0; call < calls; ++call) work.run(call);
    check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    check(enqueue_clock(stream_, device_ticks_), "read_clock");
    release();
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return static_cast<double>(ms) / calls;
  }

  cudaStream_t stream_;
  int ordinal_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  HoldFlags *flags_ = nullptr, *device_flags_ = nullptr;
  std::int64_t *ticks_ = nullptr, *device_ticks_ = nullptr;
  double max_clock_mhz_ = 0;
};

}  // namespace

std::unique_ptr<Timer> make_cuda_timer(Queue& queue) {
  return std::make_unique<CudaTimer>(queue);
}

std::string cuda_versions() {
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  const auto text = [](int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
  };
  return "driver=" + text(driver) + " toolkit=" + text(runtime);
}

}  // namespace batchlas::bench
