#include "engine/exec/graph.h"

#include <cuda_runtime_api.h>

#include "engine/exec/cuda_check.h"

namespace mote::engine {

Graph::Graph(const Cuda& exec, const std::function<void()>& work) {
  cuda_check(cudaStreamBeginCapture(exec.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  cudaGraph_t recorded = nullptr;
  try {
    work();
  } catch (...) {
    // The stream must leave its recording state, whatever happened.
    if (cudaStreamEndCapture(exec.stream, &recorded) == cudaSuccess && recorded) cudaGraphDestroy(recorded);
    cudaGetLastError();
    throw;
  }
  cuda_check(cudaStreamEndCapture(exec.stream, &recorded), "cudaStreamEndCapture");
  cudaGraphExec_t graph = nullptr;
  const cudaError_t error = cudaGraphInstantiate(&graph, recorded, 0);
  cudaGraphDestroy(recorded);
  cuda_check(error, "cudaGraphInstantiate");
  graph_.reset(graph);
}

void Graph::run(const Cuda& exec) {
  cuda_check(cudaGraphLaunch(graph_.get(), exec.stream), "cudaGraphLaunch");
}

void Graph::Destroy::operator()(CUgraphExec_st* graph) const {
  cudaGraphExecDestroy(graph);
}

}  // namespace mote::engine
