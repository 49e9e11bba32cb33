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
  /// Of positions, scalars and radii: kept, for to free one waits for its stream.
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

void PointWriter::write(const SharedPlace& place, const Points& points) {
  if (!gpu_) {
    std::copy(points.positions.begin(), points.positions.end(), place.positions);
    std::copy(points.scalars.begin(), points.scalars.end(), place.scalars);
    std::copy(points.radii.begin(), points.radii.end(), place.radii);
    return;
  }
  // What a kernel would have made stands on the device first; from there it goes where it is
  // wanted.
  const engine::Cuda exec = gpu_->stream.policy();
  engine::make_current(exec);
  engine::wait_for(exec, place.ready);
  const auto send = [&](float* to, const std::vector<float>& values, Buffer<float, Device>& made) {
    const auto count = static_cast<Index>(values.size());
    if (made.size() < count) made = Buffer<float, Device>(count);
    engine::copy_to_device(made.data(), values.data(), count, exec.stream);
    if (place.on_device)
      engine::copy_bytes_on_device(to, made.data(), values.size() * sizeof(float), exec.stream);
    else
      engine::copy_to_host(to, made.data(), count, exec.stream);
  };
  send(place.positions, points.positions, gpu_->made[0]);
  send(place.scalars, points.scalars, gpu_->made[1]);
  if (place.radii) send(place.radii, points.radii, gpu_->made[2]);
  engine::record(exec, place.done);
  if (!place.on_device) engine::wait(exec);
}

}  // namespace mote::render
