// Stands in for the CUDA parts in builds without CUDA.
#include "cuda/potrf_rival.hh"
#include "timer.hh"

namespace batchlas::bench {

std::unique_ptr<Timer> make_cuda_timer(Queue&) {
  return nullptr;
}
std::string cuda_versions() {
  return {};
}
std::vector<Arm> cuda_potrf_rivals(Queue&, const PotrfOperands&) {
  return {};
}

}  // namespace batchlas::bench
