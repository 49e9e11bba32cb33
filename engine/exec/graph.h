#pragma once

#include <functional>
#include <memory>

#include "engine/exec/policy.h"

struct CUgraphExec_st;

namespace mote::engine {

/// Work for a device, recorded once and started again and again at the cost of one launch. Defined
/// in builds with CUDA only.
class Graph {
 public:
  /// Records what `work` enqueues on the policy's stream; nothing runs yet. `work` must not wait or
  /// allocate, and may be called several times: another library that waits for the whole device
  /// meanwhile spoils what was recorded.
  Graph(const Cuda& exec, const std::function<void()>& work);
  void run(const Cuda& exec);

 private:
  struct Destroy {
    void operator()(CUgraphExec_st* graph) const;
  };
  std::unique_ptr<CUgraphExec_st, Destroy> graph_;
};

}  // namespace mote::engine
