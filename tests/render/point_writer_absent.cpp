#include <algorithm>
#include <stdexcept>

#include "engine/machine.h"
#include "tests/render/point_writer.h"

namespace mote::render {

struct PointWriter::Gpu {};

const std::string& no_stepping_gpu() {
  static const std::string problem = engine::cuda_info().problem;
  return problem;
}

bool stepping_gpu_is_emulated() {
  return false;
}

PointWriter::PointWriter(bool on_gpu) {
  if (on_gpu) throw std::logic_error("this build has no CUDA");
}
PointWriter::~PointWriter() = default;

void PointWriter::write(const SharedTarget& target, const Points& points) {
  std::copy(points.positions.begin(), points.positions.end(), target.positions);
  std::copy(points.scalars.begin(), points.scalars.end(), target.scalars);
  std::copy(points.radii.begin(), points.radii.end(), target.radii);
}

}  // namespace mote::render
