// Queues, events, memory and facts of CUDA devices.
#include <atomic>
#include <string>

#include "batchlas/cuda.hh"
#include "batchlas/status.hh"
#include "device/cuda/check.hh"
#include "device/launch.hh"
#include "device/state.hh"

namespace batchlas::inline v0 {

namespace device::cuda {

void fail(cudaError_t code, const char* call, const char* file, int line) {
  throw DeviceError(std::string(cudaGetErrorName(code)) + " (" + cudaGetErrorString(code) + ") from " + call +
                    " at " + file + ":" + std::to_string(line));
}

}  // namespace device::cuda

namespace detail {

using device::cuda::CurrentDevice;

namespace {

/// A stream and what becomes of it: tickets outlive their queue.
struct Stream {
  int ordinal;
  cudaStream_t stream;
  bool owned;
  ~Stream() {
    cudaStreamSynchronize(stream);
    if (owned) cudaStreamDestroy(stream);
  }
};

class CudaEvent : public EventState {
 public:
  explicit CudaEvent(cudaStream_t stream) {
    BATCHLAS_CUDA_CHECK(cudaEventCreate(&event_));
    BATCHLAS_CUDA_CHECK(cudaEventRecord(event_, stream));
  }
  ~CudaEvent() override { cudaEventDestroy(event_); }

  void wait() override { BATCHLAS_CUDA_CHECK(cudaEventSynchronize(event_)); }
  bool query() override {
    const cudaError_t code = cudaEventQuery(event_);
    if (code == cudaErrorNotReady) return false;
    if (code != cudaSuccess) device::cuda::fail(code, "cudaEventQuery", __FILE__, __LINE__);
    return true;
  }
  double elapsed_since(EventState& earlier) override {
    auto* from = dynamic_cast<CudaEvent*>(&earlier);
    if (!from) throw std::invalid_argument("elapsed_ms: the events belong to different kinds of device");
    float ms = 0;
    BATCHLAS_CUDA_CHECK(cudaEventElapsedTime(&ms, from->event_, event_));
    return ms;
  }
  cudaEvent_t event() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// The event of a call, recorded when it is first asked for. A queue that is gone was drained.
class CudaTicket : public EventState {
 public:
  explicit CudaTicket(const std::shared_ptr<Stream>& stream) : stream_(stream) {}
  void wait() override {
    if (CudaEvent* event = recorded()) event->wait();
  }
  bool query() override {
    CudaEvent* event = recorded();
    return !event || event->query();
  }
  double elapsed_since(EventState&) override {
    throw std::invalid_argument("elapsed_ms: the event of a call, expected one of Queue::record()");
  }
  CudaEvent* recorded() {
    const std::shared_ptr<Stream> stream = stream_.lock();
    if (!event_ && stream) {
      const CurrentDevice current(stream->ordinal);
      event_ = std::make_unique<CudaEvent>(stream->stream);
    }
    return stream ? event_.get() : nullptr;
  }

 private:
  std::weak_ptr<Stream> stream_;
  std::unique_ptr<CudaEvent> event_;
};

class CudaQueue : public QueueState {
 public:
  CudaQueue(const Device& device, cudaStream_t stream, bool owned)
      : QueueState(device), handle_(new Stream{device.ordinal(), stream, owned}), stream_(stream) {}

  static std::unique_ptr<CudaQueue> create(const Device& device) {
    const CurrentDevice current(device.ordinal());
    cudaStream_t stream = nullptr;
    BATCHLAS_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return std::make_unique<CudaQueue>(device, stream, true);
  }

  void wait() override {
    check();
    note(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }
  std::shared_ptr<EventState> record() override {
    check();
    const CurrentDevice current(device().ordinal());
    return std::make_shared<CudaEvent>(stream_);
  }
  void wait_for(EventState& event) override {
    check();
    auto* cuda = dynamic_cast<CudaEvent*>(&event);
    if (auto* ticket = dynamic_cast<CudaTicket*>(&event)) cuda = ticket->recorded();
    if (!cuda) return event.wait();
    note(cudaStreamWaitEvent(stream_, cuda->event()), "cudaStreamWaitEvent");
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    check();
    const CurrentDevice current(device().ordinal());
    note(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
  }
  void check() override {
    if (!fault_.empty()) throw DeviceError(fault_);
  }
  bool reachable(const void* memory) const override {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    return attributes.type != cudaMemoryTypeUnregistered;
  }
  bool capturing() const override {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    BATCHLAS_CUDA_CHECK(cudaStreamIsCapturing(stream_, &status));
    return status != cudaStreamCaptureStatusNone;
  }
  Event ticket() override { return Event(std::make_shared<CudaTicket>(handle_)); }
  void* native_stream() const override { return stream_; }
  cudaStream_t stream() const { return stream_; }

 private:
  // A fault of the device sticks to the queue: what it computed can no longer be trusted.
  void note(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    fault_ = std::string(cudaGetErrorName(code)) + " (" + cudaGetErrorString(code) + ") from " + call;
    throw DeviceError(fault_);
  }

  std::shared_ptr<Stream> handle_;
  cudaStream_t stream_;
  std::string fault_;
};

CudaQueue& cuda_queue(Queue& queue, const char* who) {
  auto* cuda = dynamic_cast<CudaQueue*>(&queue.state());
  if (!cuda)
    throw std::invalid_argument(std::string(who) + ": queue is on " + queue.device().facts().name +
                                ", expected a CUDA device");
  return *cuda;
}

}  // namespace

std::unique_ptr<QueueState> make_cuda_queue(const Device& device) {
  return CudaQueue::create(device);
}

void* cuda_allocate(const Device& device, std::size_t bytes) {
  const CurrentDevice current(device.ordinal());
  void* memory = nullptr;
  if (bytes > 0) BATCHLAS_CUDA_CHECK(cudaMalloc(&memory, bytes));
  return memory;
}

void cuda_deallocate(const Device&, void* memory) noexcept {
  cudaFree(memory);
}

std::vector<DeviceFacts> cuda_device_facts() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();  // no driver or no device: the same as none
    return {};
  }
  std::vector<DeviceFacts> all;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties;
    BATCHLAS_CUDA_CHECK(cudaGetDeviceProperties(&properties, ordinal));
    DeviceFacts facts;
    facts.arch_number = 10 * properties.major + properties.minor;
    facts.key = "sm_" + std::to_string(facts.arch_number);
    facts.family = "sm";
    facts.name = properties.name;
    facts.is_gpu = true;
    facts.sub_group_size = properties.warpSize;
    facts.max_work_group = properties.maxThreadsPerBlock;
    facts.local_bytes = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
    facts.multiprocessors = properties.multiProcessorCount;
    facts.l2_bytes = properties.l2CacheSize;
    facts.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    all.push_back(std::move(facts));
  }
  return all;
}

}  // namespace detail

device::cuda::Executor device::cuda::executor_of(Queue& queue) {
  return {detail::cuda_queue(queue, "launch").stream(), queue.device().ordinal()};
}

Queue wrap_stream(cudaStream_t stream) {
  int ordinal = 0;
  BATCHLAS_CUDA_CHECK(cudaGetDevice(&ordinal));
  return Queue(std::make_unique<detail::CudaQueue>(Device::cuda(ordinal), stream, false));
}

cudaStream_t stream_of(Queue& queue) {
  return detail::cuda_queue(queue, "stream_of").stream();
}

}  // namespace batchlas::inline v0
