#include "render/shared_points_cuda.h"

#include <cuda_gl_interop.h>

#include <algorithm>
#include <optional>

#include "engine/check.h"
#include "engine/exec/cuda_check.h"
#include "engine/exec/stream.h"
#include "engine/log.h"

namespace mote::render {
namespace {

using engine::cuda_check;

/// The text of a CUDA error, which is then cleared: the next call must not report it again.
std::string error_text(cudaError_t error) {
  cudaGetLastError();
  return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
}

/// The renderer's name without the versions and buses that drivers append to it.
std::string renderer() {
  const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string name = text ? text : "no driver";
  return name.substr(0, std::min(name.find(" ("), name.find("/PCIe")));
}

/// An OpenGL buffer registered with CUDA.
class Resource {
 public:
  explicit Resource(GLuint buffer) {
    cudaGraphicsResource_t resource = nullptr;
    const cudaError_t error =
        cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard);
    if (error != cudaSuccess)
      throw engine::SystemError("CUDA could not register OpenGL's buffers", error_text(error), "");
    resource_.reset(resource);
  }
  cudaGraphicsResource_t get() const { return resource_.get(); }

 private:
  struct Unregister {
    void operator()(cudaGraphicsResource_t resource) const noexcept {
      engine::log_failure(cudaGraphicsUnregisterResource(resource),
                          "cudaGraphicsUnregisterResource");
    }
  };
  std::unique_ptr<cudaGraphicsResource, Unregister> resource_;
};

float* mapped_pointer(cudaGraphicsResource_t resource) {
  void* pointer = nullptr;
  std::size_t bytes = 0;
  cuda_check(cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resource),
             "cudaGraphicsResourceGetMappedPointer");
  return static_cast<float*>(pointer);
}

class RegisteredSlots final : public CudaSlots {
 public:
  RegisteredSlots(int device, const std::array<SlotBuffers, 3>& buffers)
      : stream_(device),
        slots_{Slot(buffers[0]), Slot(buffers[1]), Slot(buffers[2])},
        ready_(engine::Event::untimed()),
        done_(engine::Event::untimed()) {}

  ~RegisteredSlots() override {
    try {
      engine::make_current(stream_.policy());
      if (mapped_ >= 0) unmap(mapped_);
      // wait for work in flight before the buffers are unregistered
      engine::wait(stream_.policy());
    } catch (const std::exception& error) {
      engine::log().warn("buffers shared with CUDA were not released cleanly: {}", error.what());
    }
  }

  SharedTarget map(int slot) override {
    MOTE_EXPECT(mapped_ < 0);
    const engine::Cuda exec = stream_.policy();
    engine::make_current(exec);
    Resources resources = resources_of(slot);
    cuda_check(cudaGraphicsMapResources(resources.count, resources.all.data(), exec.stream),
               "cudaGraphicsMapResources");
    mapped_ = slot;
    try {
      SharedTarget target{{.on_device = true, .ready = ready_.handle(), .done = done_.handle()},
                          slot};
      target.positions = mapped_pointer(resources.all[0]);
      target.scalars = mapped_pointer(resources.all[1]);
      if (resources.count > 2) target.radii = mapped_pointer(resources.all[2]);
      ready_.record(exec.stream);
      return target;
    } catch (...) {
      unmap(slot);
      throw;
    }
  }

  void unmap(int slot) override {
    MOTE_EXPECT(mapped_ == slot);
    const engine::Cuda exec = stream_.policy();
    engine::make_current(exec);
    engine::wait_for(exec, done_.handle());
    mapped_ = -1;
    Resources resources = resources_of(slot);
    cuda_check(cudaGraphicsUnmapResources(resources.count, resources.all.data(), exec.stream),
               "cudaGraphicsUnmapResources");
  }

  bool is_written() const override { return done_.done(); }
  void wait_until_written() const override { done_.wait(); }

 private:
  struct Slot {
    explicit Slot(SlotBuffers buffers) : positions(buffers.positions), scalars(buffers.scalars) {
      if (buffers.radii != 0) radii.emplace(buffers.radii);
    }
    Resource positions, scalars;
    std::optional<Resource> radii;
  };
  struct Resources {
    std::array<cudaGraphicsResource_t, 3> all;
    int count;
  };

  Resources resources_of(int slot) const {
    const Slot& s = slots_[static_cast<std::size_t>(slot)];
    if (!s.radii) return {{s.positions.get(), s.scalars.get()}, 2};
    return {{s.positions.get(), s.scalars.get(), s.radii->get()}, 3};
  }

  engine::Stream stream_;  // only maps and unmaps buffers
  std::array<Slot, 3> slots_;
  engine::Event ready_, done_;
  int mapped_ = -1;
};

}  // namespace

std::string no_interop_reason(int device) {
  std::array<int, 16> devices{};
  unsigned count = 0;
  const cudaError_t error = cudaGLGetDevices(
      &count, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll);
  if (error != cudaSuccess) {
    engine::log().debug("cudaGLGetDevices: {}", error_text(error));
    count = 0;
  }
  const auto end = devices.begin() + std::min<std::ptrdiff_t>(count, std::ssize(devices));
  if (std::find(devices.begin(), end, device) != end) return "";
  if (count > 0)
    return "OpenGL is drawn by another GPU (" + renderer() +
           ") than the one that runs the simulation, device " + std::to_string(device);
  return "OpenGL is drawn by " + renderer() + ", not by the GPU that runs the simulation";
}

CudaSlotsAttempt open_cuda_slots(int device, const std::array<SlotBuffers, 3>& buffers) {
  try {
    return {std::make_unique<RegisteredSlots>(device, buffers), ""};
  } catch (const engine::SystemError& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace mote::render
