// What a project outside the library writes; needs C++20 from the imported target.
#include <cstdio>
#include <vector>

#include "batchlas/introspect.hh"
#include "batchlas/ops/potrf.hh"

int main() {
  using namespace batchlas;
  Queue queue(Device::cpu());
  std::vector<double> items{4, 2, 2, 5};  // L = [2 0; 1 2]
  potrf(queue, MatrixView<double>{.data = items.data(), .rows = 2, .cols = 2});
  queue.wait();
  std::printf("BatchLAS %s: %g %g %g\n", version().c_str(), items[0], items[1], items[3]);
  return items[0] == 2 && items[1] == 1 && items[3] == 2 ? 0 : 1;
}
