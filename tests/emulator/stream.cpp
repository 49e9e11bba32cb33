#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "tests/emulator/emulator.h"
#include "tests/emulator/runtime.h"

/// Streams, events and graphs. Work runs when it is enqueued, unless the stream is being captured.
namespace emulator {

using Clock = std::chrono::steady_clock;
using Work = std::vector<std::function<void()>>;

/// A stream that waits for an event of a captured stream joins its capture.
struct Capture {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  int device = 0;
  std::thread::id thread = std::this_thread::get_id();  // that started it
  bool invalidated = false;
  Work work = {};
};

/// A vector clock: for each stream, by number, the last mark that something is ordered after.
using VectorClock = std::map<std::uint64_t, std::uint64_t>;

}  // namespace emulator

struct CUstream_st {
  std::shared_ptr<emulator::Capture> capture;
  int device = emulator::current_device();
  std::uint64_t number = 0;
  emulator::VectorClock clock;
  // By stream: its clock at the event of it that this stream waited for last.
  std::map<std::uint64_t, emulator::VectorClock> event_clocks;
  std::uint64_t waited_for = 0;  // the last mark when the host last waited for this stream
};
struct CUevent_st {
  int device = emulator::current_device();
  bool timed = true, recorded = false;
  emulator::Clock::time_point time;
  std::shared_ptr<emulator::Capture> capture;
  std::uint64_t stream = 0;
  emulator::VectorClock clock;
};
struct CUgraph_st {
  emulator::Work work;
};
struct CUgraphExec_st {
  emulator::Work work;
};

namespace emulator {
namespace {

/// True if the calling thread must not make calls that are unsafe during the capture.
bool forbids(const Capture& capture) {
  return capture.mode == cudaStreamCaptureModeGlobal ||
         (capture.mode == cudaStreamCaptureModeThreadLocal &&
          capture.thread == std::this_thread::get_id());
}

std::recursive_mutex stream_mutex;
std::set<cudaStream_t>& streams = *new std::set<cudaStream_t>;
std::set<cudaEvent_t>& events = *new std::set<cudaEvent_t>;
std::set<cudaGraph_t>& graphs = *new std::set<cudaGraph_t>;
std::set<cudaGraphExec_t>& executables = *new std::set<cudaGraphExec_t>;

std::uint64_t last_mark = 0, last_stream = 0;
std::atomic<std::size_t> waits{0};

bool is_built_in(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

Capture* capture_of(cudaStream_t stream) {
  return is_built_in(stream) ? nullptr : stream->capture.get();
}

template <class Handle>
cudaError_t check(const std::set<Handle>& living, Handle handle) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return state;
  return living.count(handle) != 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

template <class T>
cudaError_t destroy(std::set<T*>& living, T* handle) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check(living, handle); error != cudaSuccess) return report(error);
  living.erase(handle);
  delete handle;
  return cudaSuccess;
}

/// Waiting for a stream that is being captured is an error, and invalidates the capture.
cudaError_t check_wait(cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  Capture* capture = capture_of(stream);
  if (capture == nullptr) return is_built_in(stream) ? check_no_capture() : cudaSuccess;
  capture->invalidated = true;
  return cudaErrorStreamCaptureUnsupported;
}

void wait_for_event(CUstream_st& stream, const CUevent_st& event) {
  if (!event.recorded || event.stream == 0) return;
  for (const auto& [other, mark] : event.clock)
    stream.clock[other] = std::max(stream.clock[other], mark);
  stream.event_clocks[event.stream] = event.clock;
}

std::uint64_t mark_in(const VectorClock& marks, std::uint64_t stream) {
  const auto found = marks.find(stream);
  return found == marks.end() ? 0 : found->second;
}

}  // namespace

Mark mark(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex);
  if (is_built_in(stream)) return {};
  stream->clock[stream->number] = ++last_mark;
  return {stream->number, last_mark};
}

bool is_after(cudaStream_t stream, const Mark& mark) {
  const std::lock_guard lock(stream_mutex);
  return mark.stream == 0 || is_built_in(stream) ||
         mark_in(stream->clock, mark.stream) >= mark.number;
}

bool is_after_all_users(cudaStream_t stream, const Mark& mark) {
  const std::lock_guard lock(stream_mutex);
  if (mark.stream == 0 || is_built_in(stream)) return true;
  return std::all_of(streams.begin(), streams.end(), [&](const CUstream_st* user) {
    if (user == stream || mark_in(user->clock, mark.stream) < mark.number) return true;
    if (user->waited_for >= mark.number) return true;
    const auto event_clocks = stream->event_clocks.find(user->number);
    return event_clocks != stream->event_clocks.end() &&
           mark_in(event_clocks->second, mark.stream) >= mark.number;
  });
}

void count_host_wait() {
  ++waits;
}

std::size_t host_waits() {
  return waits;
}

cudaError_t check_stream(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex);
  return is_built_in(stream) ? context_state() : check(streams, stream);
}

cudaError_t check_no_capture() {
  const std::lock_guard lock(stream_mutex);
  cudaError_t error = cudaSuccess;
  for (cudaStream_t stream : streams) {
    Capture* capture = capture_of(stream);
    if (capture == nullptr || !forbids(*capture)) continue;
    capture->invalidated = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

cudaError_t invalidate_captures(int device) {
  const std::lock_guard lock(stream_mutex);
  cudaError_t error = cudaSuccess;
  for (cudaStream_t stream : streams) {
    Capture* capture = capture_of(stream);
    if (capture == nullptr || capture->device != device) continue;
    capture->invalidated = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

cudaError_t check_launch(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  const bool of_another = !is_built_in(stream) && stream->device != current_device();
  return of_another ? cudaErrorInvalidResourceHandle : cudaSuccess;
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work) {
  {
    const std::lock_guard lock(stream_mutex);
    if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
    if (Capture* capture = capture_of(stream); capture != nullptr) {
      if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
      capture->work.push_back(std::move(work));
      return cudaSuccess;
    }
  }
  work();
  return cudaSuccess;
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)
    return report(cudaErrorInvalidValue);
  const std::lock_guard lock(stream_mutex);
  *stream = *streams.insert(new CUstream_st).first;
  (*stream)->number = ++last_stream;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return destroy(streams, stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex);
  ++waits;
  const cudaError_t error = check_wait(stream);
  if (error == cudaSuccess && !is_built_in(stream)) stream->waited_for = last_mark;
  return report(error);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex);
  return report(check_wait(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  if (const cudaError_t error = check(events, event); error != cudaSuccess) return report(error);
  if (!is_built_in(stream)) wait_for_event(*stream, *event);
  if (event->capture == nullptr || capture_of(stream) == event->capture.get()) return cudaSuccess;
  if (is_built_in(stream) || stream->capture != nullptr)
    return report(cudaErrorStreamCaptureUnsupported);
  stream->capture = event->capture;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  const std::lock_guard lock(stream_mutex);
  *event = *events.insert(new CUevent_st).first;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  if (const cudaError_t error = check(events, event); error != cudaSuccess) return report(error);
  if (!is_built_in(stream) && event->device != stream->device)
    return report(cudaErrorInvalidResourceHandle);
  event->capture = is_built_in(stream) ? nullptr : stream->capture;
  event->recorded = event->capture == nullptr;
  event->time = Clock::now();
  event->stream = mark(stream).stream;
  event->clock = is_built_in(stream) ? VectorClock{} : stream->clock;
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const std::lock_guard lock(stream_mutex);
  const cudaError_t error = check(events, event);
  return report(error == cudaSuccess && event->capture != nullptr
                    ? cudaErrorStreamCaptureUnsupported
                    : error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const std::lock_guard lock(stream_mutex);
  ++waits;
  const cudaError_t error = cudaEventQuery(event);
  if (error != cudaSuccess) return error;
  for (cudaStream_t stream : streams)
    if (stream->number == event->stream) stream->waited_for = mark_in(event->clock, event->stream);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const std::lock_guard lock(stream_mutex);
  for (cudaEvent_t event : {start, end}) {
    if (const cudaError_t error = check(events, event); error != cudaSuccess) return report(error);
    if (!event->timed || !event->recorded) return report(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return destroy(events, event);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  if (is_built_in(stream)) return report(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return report(cudaErrorInvalidValue);
  stream->capture = std::make_shared<Capture>(Capture{stream, mode, stream->device});
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(stream_mutex);
  *graph = nullptr;
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  const Capture* begun = capture_of(stream);
  if (begun == nullptr || begun->origin != stream) return report(cudaErrorInvalidValue);
  const std::shared_ptr<Capture> capture = stream->capture;
  for (cudaStream_t other : streams)
    if (other->capture == capture) other->capture = nullptr;
  for (cudaEvent_t event : events)
    if (event->capture == capture) event->capture = nullptr;
  if (capture->invalidated) return report(cudaErrorStreamCaptureInvalidated);
  *graph = *graphs.insert(new CUgraph_st{std::move(capture->work)}).first;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return report(error);
  const Capture* capture = capture_of(stream);
  *status = capture == nullptr     ? cudaStreamCaptureStatusNone
            : capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check(graphs, graph); error != cudaSuccess) return report(error);
  if (nodes != nullptr) return report(cudaErrorNotSupported);  // the emulator can only count them
  *count = graph->work.size();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  const std::lock_guard lock(stream_mutex);
  if (const cudaError_t error = check(graphs, graph); error != cudaSuccess) return report(error);
  *executable = *executables.insert(new CUgraphExec_st{graph->work}).first;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  Work work;
  {
    const std::lock_guard lock(stream_mutex);
    if (const cudaError_t error = check(executables, executable); error != cudaSuccess)
      return report(error);
    work = executable->work;
  }
  return report(enqueue(stream, [work = std::move(work)] {
    for (const std::function<void()>& item : work) item();
  }));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return destroy(graphs, graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return destroy(executables, executable);
}
