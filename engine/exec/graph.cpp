#include "engine/exec/graph.h"

#include <cuda_runtime_api.h>

#include "engine/exec/cuda_check.h"

namespace mote::engine {
namespace {

/// Captures what `work` enqueues. Null if the capture was invalidated and this is not the last try:
/// a thread of another library waited for the device, which invalidates all captures on it.
cudaGraph_t record_once(const Cuda& exec, const std::function<void()>& work, bool last) {
  cuda_check(cudaStreamBeginCapture(exec.stream, cudaStreamCaptureModeThreadLocal),
             "cudaStreamBeginCapture");
  cudaGraph_t recorded = nullptr;
  try {
    work();
  } catch (...) {
    // The stream must leave capture mode in any case.
    const cudaError_t error = cudaStreamEndCapture(exec.stream, &recorded);
    cudaGetLastError();
    if (error == cudaErrorStreamCaptureInvalidated && !last) return nullptr;
    if (recorded) log_failure(cudaGraphDestroy(recorded), "cudaGraphDestroy");
    throw;
  }
  const cudaError_t error = cudaStreamEndCapture(exec.stream, &recorded);
  if (error == cudaErrorStreamCaptureInvalidated && !last) {
    cudaGetLastError();
    return nullptr;
  }
  cuda_check(error, "cudaStreamEndCapture");
  return recorded;
}

}  // namespace

Graph::Graph(const Cuda& exec, const std::function<void()>& work) {
  constexpr int max_tries = 10;
  cudaGraph_t recorded = nullptr;
  for (int tries = 1; !recorded; ++tries) recorded = record_once(exec, work, tries == max_tries);
  cudaGraphExec_t graph = nullptr;
  const cudaError_t error = cudaGraphInstantiate(&graph, recorded, 0);
  log_failure(cudaGraphDestroy(recorded), "cudaGraphDestroy");
  cuda_check(error, "cudaGraphInstantiate");
  graph_.reset(graph);
}

void Graph::run(const Cuda& exec) {
  cuda_check(cudaGraphLaunch(graph_.get(), exec.stream), "cudaGraphLaunch");
}

void Graph::Destroy::operator()(CUgraphExec_st* graph) const {
  log_failure(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
}

}  // namespace mote::engine
