// Factors 10,000 correlation matrices of order 32 in one call.
#include <cstdio>
#include <vector>

#include "batchlas/device_array.hh"
#include "batchlas/ops/potrf.hh"

int main() {
  using namespace batchlas;
  constexpr std::int64_t n = 32, batch = 10000;
  std::vector<float> host(n * n * batch, 0.5F);                    // every correlation is 1/2,
  for (int i = 0; i < n * batch; ++i) host[i * n + i % n] = 1.0F;  // every variance 1

  Queue queue;  // on the first GPU, or the CPU where there is none
  DeviceArray<float> items(queue.device(), n * n * batch);
  copy(queue, items.span(), host);
  potrf(queue, MatrixView<float>{.data = items.data(), .rows = n, .cols = n, .batch = batch});
  copy(queue, std::span(host), items.span());
  queue.wait();
  std::printf("%.4f\n%.4f %.4f\n", host[0], host[1], host[n + 1]);  // 1.0000, then 0.5000 0.8660
}
