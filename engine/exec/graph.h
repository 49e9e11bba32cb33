#pragma once

#include <functional>
#include <memory>

#include "engine/exec/policy.h"

struct CUgraphExec_st;

namespace mote::engine {

/// A CUDA graph: work recorded once and replayed at the cost of one launch. Defined in builds with
/// CUDA only.
class Graph {
 public:
  /// Records what `work` enqueues on the policy's stream; nothing runs yet. `work` must not wait or
  /// allocate. It may be called several times: if another library waits for the device meanwhile,
  /// the capture is invalidated and repeated.
  Graph(const Cuda& exec, const std::function<void()>& work);
  void run(const Cuda& exec);

 private:
  struct Destroy {
    void operator()(CUgraphExec_st* graph) const;
  };
  std::unique_ptr<CUgraphExec_st, Destroy> graph_;
};

}  // namespace mote::engine
