#include "tests/render/point_writer.h"

#include <algorithm>
#include <vector>

#include "engine/exec/stream.h"
#include "engine/machine.h"
#include "engine/memory/buffer.h"

namespace mote::render {

using engine::Buffer;
using engine::Device;
using engine::Index;

struct PointWriter::Gpu {
  engine::Stream stream{0};
  /// Staging buffers of positions, scalars and radii: kept, because freeing one waits for its
  /// stream.
  Buffer<float, Device> made[3];
};

const std::string& no_stepping_gpu() {
  static const std::string problem = engine::cuda_info().problem;
  return problem;
}

bool stepping_gpu_is_emulated() {
#if defined(MOTE_CUDA_EMULATED)
  return true;
#else
  return false;
#endif
}

PointWriter::PointWriter(bool on_gpu) : gpu_(on_gpu ? std::make_unique<Gpu>() : nullptr) {}
PointWriter::~PointWriter() = default;

void PointWriter::write(const SharedTarget& target, const Points& points) {
  if (!gpu_) {
    std::copy(points.positions.begin(), points.positions.end(), target.positions);
    std::copy(points.scalars.begin(), points.scalars.end(), target.scalars);
    std::copy(points.radii.begin(), points.radii.end(), target.radii);
    return;
  }
  // The data are first staged on the device, as if made by a kernel, then copied to their target.
  const engine::Cuda exec = gpu_->stream.policy();
  engine::make_current(exec);
  engine::wait_for(exec, target.ready);
  const auto send = [&](float* to, const std::vector<float>& values, Buffer<float, Device>& made) {
    const auto count = static_cast<Index>(values.size());
    if (made.size() < count) made = Buffer<float, Device>(count);
    engine::copy_to_device(made.data(), values.data(), count, exec.stream);
    if (target.on_device)
      engine::copy_bytes_on_device(to, made.data(), values.size() * sizeof(float), exec.stream);
    else
      engine::copy_to_host(to, made.data(), count, exec.stream);
  };
  send(target.positions, points.positions, gpu_->made[0]);
  send(target.scalars, points.scalars, gpu_->made[1]);
  if (target.radii) send(target.radii, points.radii, gpu_->made[2]);
  engine::record(exec, target.done);
  if (!target.on_device) engine::wait(exec);
}

}  // namespace mote::render
