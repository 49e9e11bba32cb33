#include "engine/exec/stream.h"

#include <cuda_runtime_api.h>

#include "engine/exec/cuda_check.h"

namespace mote::engine {

Stream::Stream(int device) : device_(device) {
  cuda_check(cudaSetDevice(device), "cudaSetDevice");
  cudaStream_t stream = nullptr;
  cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  stream_.reset(stream);
}

void make_current(const Cuda& exec) {
  cuda_check(cudaSetDevice(exec.device), "cudaSetDevice");
}

void wait(const Cuda& exec) {
  cuda_check(cudaStreamSynchronize(exec.stream), "wait for the device");
}

void wait_for(const Cuda& exec, CUevent_st* event) {
  if (event) cuda_check(cudaStreamWaitEvent(exec.stream, event, 0), "cudaStreamWaitEvent");
}

void record(const Cuda& exec, CUevent_st* event) {
  if (event) cuda_check(cudaEventRecord(event, exec.stream), "cudaEventRecord");
}

void Stream::Destroy::operator()(CUstream_st* stream) const {
  cudaStreamDestroy(stream);
}

Event::Event() : Event(cudaEventDefault) {}

Event::Event(unsigned flags) {
  cudaEvent_t event = nullptr;
  cuda_check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreate");
  event_.reset(event);
}

Event Event::untimed() {
  return Event(cudaEventDisableTiming);
}

void Event::record(CUstream_st* stream) {
  cuda_check(cudaEventRecord(event_.get(), stream), "cudaEventRecord");
}

void Event::wait() const {
  cuda_check(cudaEventSynchronize(event_.get()), "wait for the device");
}

double Event::seconds_since(const Event& start) const {
  float milliseconds = 0;
  cuda_check(cudaEventElapsedTime(&milliseconds, start.event_.get(), event_.get()), "cudaEventElapsedTime");
  return 1e-3 * static_cast<double>(milliseconds);
}

void Event::Destroy::operator()(CUevent_st* event) const {
  cudaEventDestroy(event);
}

}  // namespace mote::engine
