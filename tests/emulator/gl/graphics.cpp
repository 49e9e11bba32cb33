#include "tests/emulator/gl/graphics.h"

#include <GL/glew.h>
#include <cuda_gl_interop.h>
#include <emulated/execution.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <set>
#include <string_view>

#include "tests/emulator/runtime.h"

/// Mapping a buffer allocates separate device memory, which is copied into OpenGL's buffer and
/// freed at unmapping: a pointer used too late is dangling. Meanwhile OpenGL's buffer holds
/// garbage, so that drawing it shows.

struct cudaGraphicsResource {
  GLuint buffer = 0;
  unsigned flags = 0;
  std::size_t bytes = 0;
  void* memory = nullptr;  // while mapped
  emulator::Mark mapped_at{};
};

namespace emulator {
namespace {

constexpr int drawing_device = 0;
constexpr unsigned char undefined = 0xcd;

std::mutex state_mutex;
std::set<cudaGraphicsResource_t>& resources_alive = *new std::set<cudaGraphicsResource_t>;
std::size_t calls = 0;
int registrations_left = -1;

bool interop_is_off() {
  const char* text = std::getenv("MOTE_EMULATOR_NO_INTEROP");
  const std::string_view value = text != nullptr ? text : "";
  return !value.empty() && value != "0";
}

/// Without a current context OpenGL functions do nothing.
bool has_context() {
  return glGetString(GL_VERSION) != nullptr;
}

cudaError_t check_call() {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return state;
  return has_context() ? cudaSuccess : cudaErrorInvalidGraphicsContext;
}

cudaError_t check_resources(int count, cudaGraphicsResource_t* resources, cudaStream_t stream,
                            bool mapped) {
  if (const cudaError_t error = check_call(); error != cudaSuccess) return error;
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (count <= 0 || resources == nullptr) return cudaErrorInvalidValue;
  const std::set<cudaGraphicsResource_t> given(resources, resources + count);
  if (given.size() != static_cast<std::size_t>(count)) return cudaErrorInvalidResourceHandle;
  for (cudaGraphicsResource_t resource : given) {
    if (resources_alive.count(resource) == 0) return cudaErrorInvalidResourceHandle;
    if ((resource->memory != nullptr) != mapped) return cudaErrorUnknown;
    if (glIsBuffer(resource->buffer) == GL_FALSE)
      fail("buffer %u was deleted while CUDA had it registered", resource->buffer);
  }
  return cudaSuccess;
}

void map(cudaGraphicsResource& resource, const Mark& at) {
  resource.mapped_at = at;
  resource.memory = lend_to_device(resource.bytes, at);
  if (resource.memory == nullptr)
    fail("no memory for a mapped buffer of %zu bytes", resource.bytes);
  if (resource.flags != cudaGraphicsRegisterFlagsWriteDiscard)
    glGetNamedBufferSubData(resource.buffer, 0, static_cast<GLsizeiptr>(resource.bytes),
                            resource.memory);
  glClearNamedBufferData(resource.buffer, GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, &undefined);
}

/// Copies through a second buffer, since the first may not be writable from the CPU.
void unmap(cudaGraphicsResource& resource) {
  const auto bytes = static_cast<GLsizeiptr>(resource.bytes);
  GLuint staging = 0;
  glCreateBuffers(1, &staging);
  glNamedBufferStorage(staging, bytes, resource.memory, 0);
  glCopyNamedBufferSubData(staging, resource.buffer, 0, 0, bytes);
  glDeleteBuffers(1, &staging);
  reclaim_from_device(resource.memory);
  resource.memory = nullptr;
}

}  // namespace

std::size_t registered_buffers() {
  const std::lock_guard lock(state_mutex);
  return resources_alive.size();
}

std::size_t mapped_buffers() {
  const std::lock_guard lock(state_mutex);
  return static_cast<std::size_t>(
      std::count_if(resources_alive.begin(), resources_alive.end(),
                    [](const auto* r) { return r->memory != nullptr; }));
}

std::size_t map_calls() {
  const std::lock_guard lock(state_mutex);
  return calls;
}

void fail_registrations_after(int count) {
  const std::lock_guard lock(state_mutex);
  registrations_left = count;
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaGLGetDevices(unsigned* found, int* devices, unsigned capacity, cudaGLDeviceList) {
  *found = 0;
  if (const cudaError_t error = check_call(); error != cudaSuccess) return report(error);
  if (interop_is_off()) return report(cudaErrorNoDevice);
  *found = 1;
  if (capacity > 0) *devices = drawing_device;
  return cudaSuccess;
}

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, GLuint buffer,
                                         unsigned flags) {
  *resource = nullptr;
  if (const cudaError_t error = check_call(); error != cudaSuccess) return report(error);
  int device = -1;
  cudaGetDevice(&device);
  if (interop_is_off() || device != drawing_device) return report(cudaErrorInvalidGraphicsContext);
  if (flags > cudaGraphicsRegisterFlagsWriteDiscard || glIsBuffer(buffer) == GL_FALSE)
    return report(cudaErrorInvalidValue);
  GLint64 bytes = 0;
  GLint is_mapped = GL_FALSE;
  glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &bytes);
  glGetNamedBufferParameteriv(buffer, GL_BUFFER_MAPPED, &is_mapped);
  if (bytes == 0 || is_mapped == GL_TRUE) return report(cudaErrorInvalidValue);
  // Mesa's copies and fills fail for larger buffers; CUDA has no such limit.
  if (bytes > std::numeric_limits<std::int32_t>::max()) return report(cudaErrorNotSupported);
  const std::lock_guard lock(state_mutex);
  for (const cudaGraphicsResource* other : resources_alive)
    if (other->buffer == buffer) return report(cudaErrorInvalidValue);
  if (registrations_left == 0) return report(cudaErrorMemoryAllocation);
  if (registrations_left > 0) --registrations_left;
  *resource = new cudaGraphicsResource{buffer, flags, static_cast<std::size_t>(bytes)};
  resources_alive.insert(*resource);
  return cudaSuccess;
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
  if (const cudaError_t error = check_call(); error != cudaSuccess) return report(error);
  const std::lock_guard lock(state_mutex);
  if (resources_alive.count(resource) == 0) return report(cudaErrorInvalidResourceHandle);
  if (resource->memory != nullptr) return report(cudaErrorUnknown);
  if (glIsBuffer(resource->buffer) == GL_FALSE)
    fail("buffer %u was deleted while CUDA had it registered", resource->buffer);
  resources_alive.erase(resource);
  delete resource;
  return cudaSuccess;
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream) {
  const std::lock_guard lock(state_mutex);
  const cudaError_t error = check_resources(count, resources, stream, false);
  if (error != cudaSuccess) return report(error);
  const Mark at = mark(stream);
  for (int i = 0; i < count; ++i) map(*resources[i], at);
  ++calls;
  return cudaSuccess;
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream) {
  const std::lock_guard lock(state_mutex);
  const cudaError_t error = check_resources(count, resources, stream, true);
  if (error != cudaSuccess) return report(error);
  for (int i = 0; i < count; ++i) {
    if (!is_after(stream, resources[i]->mapped_at) ||
        !is_after_all_users(stream, resources[i]->mapped_at))
      fail("buffer %u is unmapped while a stream may still write it", resources[i]->buffer);
  }
  for (int i = 0; i < count; ++i) unmap(*resources[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, std::size_t* bytes,
                                                 cudaGraphicsResource_t resource) {
  if (const cudaError_t state = context_state(); state != cudaSuccess) return report(state);
  const std::lock_guard lock(state_mutex);
  if (resources_alive.count(resource) == 0) return report(cudaErrorInvalidResourceHandle);
  if (resource->memory == nullptr) return report(cudaErrorUnknown);
  *pointer = resource->memory;
  *bytes = resource->bytes;
  return cudaSuccess;
}
