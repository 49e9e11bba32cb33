#include "engine/exec/stream.h"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "engine/exec/cuda_check.h"

namespace mote::engine {
namespace {

/// Registry of live streams. Never destroyed: streams may live as long as the process.
struct Streams {
  struct Live {
    std::weak_ptr<CUstream_st> stream;
    std::shared_ptr<ExchangeEvents> events;  ///< null until they are needed
  };
  std::mutex mutex;
  std::map<CUstream_st*, Live> all;
};
Streams& streams() {
  static auto& one = *new Streams;
  return one;
}

std::shared_ptr<CUstream_st> find_live(CUstream_st* stream) {
  const std::lock_guard lock(streams().mutex);
  const auto found = streams().all.find(stream);
  return found == streams().all.end() ? nullptr : found->second.stream.lock();
}

thread_local std::weak_ptr<CUstream_st> stream_of_thread;

}  // namespace

Stream::Stream(int device) : device_(device) {
  cuda_check(cudaSetDevice(device), "cudaSetDevice");
  cudaStream_t stream = nullptr;
  cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  stream_.reset(stream, [device](CUstream_st* handle) {
    {
      // Before it is destroyed: a new stream may get its address immediately.
      const std::lock_guard lock(streams().mutex);
      streams().all.erase(handle);
    }
    make_current(device);
    log_failure(cudaStreamDestroy(handle), "cudaStreamDestroy");
  });
  stream_of_thread = stream_;
  const std::lock_guard lock(streams().mutex);
  streams().all[stream] = {stream_, nullptr};
}

void make_current(const Cuda& exec) {
  cuda_check(cudaSetDevice(exec.device), "cudaSetDevice");
  if (stream_of_thread.lock().get() != exec.stream) stream_of_thread = find_live(exec.stream);
}

bool make_current(int device) noexcept {
  int current = -1;
  const cudaError_t error = cudaGetDevice(&current);
  return log_failure(
      error == cudaSuccess && current == device ? cudaSuccess : cudaSetDevice(device),
      "cudaSetDevice");
}

CurrentStream current_stream() {
  CurrentStream current;
  cuda_check(cudaGetDevice(&current.device), "cudaGetDevice");
  current.stream = stream_of_thread.lock();
  return current;
}

bool drain(const CurrentStream& current) noexcept {
  return make_current(current.device) &&
         (!current.stream ||
          log_failure(cudaStreamSynchronize(current.stream.get()), "wait for the device"));
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

bool Event::done() const {
  const cudaError_t state = cudaEventQuery(event_.get());
  if (state == cudaErrorNotReady) {
    cudaGetLastError();  // no error of a later call
    return false;
  }
  cuda_check(state, "ask the device");
  return true;
}

double Event::seconds_since(const Event& start) const {
  float milliseconds = 0;
  cuda_check(cudaEventElapsedTime(&milliseconds, start.event_.get(), event_.get()),
             "cudaEventElapsedTime");
  return 1e-3 * static_cast<double>(milliseconds);
}

const std::shared_ptr<ExchangeEvents>& exchange_events(const Cuda& exec) {
  const std::lock_guard lock(streams().mutex);
  auto& events = streams().all.at(exec.stream).events;
  if (!events) events = std::make_shared<ExchangeEvents>();
  return events;
}

void Event::Destroy::operator()(CUevent_st* event) const {
  log_failure(cudaEventDestroy(event), "cudaEventDestroy");
}

}  // namespace mote::engine
