// The list of ops in ops/.
#include "arm.hh"

namespace batchlas::bench {

extern const OpBench potrf_bench;

const OpBench* find_op_bench(std::string_view op) {
  for (const OpBench* bench : {&potrf_bench})
    if (bench->name == op) return bench;
  return nullptr;
}

}  // namespace batchlas::bench
